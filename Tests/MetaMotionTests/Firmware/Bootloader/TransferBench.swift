@testable import MetaMotion

/// A transfer, with its clock and a bootloader that answers as the vendor's does, unless a test has it do otherwise.
struct TransferBench {
  var transfer: BootloaderTransfer
  var now = Duration.zero
  /// What the bootloader got.
  private(set) var image: [UInt8] = []
  /// Packets of the image that are not confirmed, and the most that there were.
  private(set) var onTheWay = 0
  private(set) var mostOnTheWay = 0
  private(set) var requests: [UInt8] = []
  /// The last effects.
  private(set) var effects: [BootloaderTransfer.Effect] = []

  private let total: Int
  private let window: Int
  private var isTakingImage = false

  /// What the bootloader says instead: to the answer that it would give, by the time it came; nil: as it is.
  var fault: ((_ answer: [UInt8]) -> [[UInt8]])?

  static let initPacket: [UInt8] = Array(0..<14)

  static func image(of count: Int, kind: FirmwareImage.Kind = .application) -> FirmwareImage {
    FirmwareImage(
      kind: kind, initPacket: initPacket, bytes: (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0 + 3) })
  }

  init(_ bytes: Int = 1_000, window: Int = 10, fault: ((_ answer: [UInt8]) -> [[UInt8]])? = nil) {
    transfer = BootloaderTransfer(Self.image(of: bytes), window: window)
    (total, self.window, self.fault) = (bytes, window, fault)
  }

  /// Has something happen, and lets the bootloader answer until it says no more.
  @discardableResult
  mutating func happen(_ event: BootloaderTransfer.Event) -> [BootloaderTransfer.Effect] {
    let next = transfer.next(event, at: now)
    if !next.isEmpty { effects = next }
    var answers: [[UInt8]] = []
    for effect in next {
      if let answer = answer(to: effect) { answers += fault.map { $0(answer) } ?? [answer] }
    }
    for answer in answers { happen(.received(answer)) }
    return next
  }

  /// Lets the time of the last wait pass.
  mutating func wait() {
    guard case .wait(let limit) = effects.last else { return }
    now += limit
    happen(.timedOut)
  }

  private mutating func answer(to effect: BootloaderTransfer.Effect) -> [UInt8]? {
    switch effect {
    case .writeControl(let bytes):
      requests.append(bytes[0])
      switch bytes[0] {
      case 2 where bytes[1] == 1: return [0x10, 2, 1]
      case 3: isTakingImage = true
      case 4: return [0x10, 4, 1]
      case 7: return [0x10, 7, 1] + count
      default: break
      }
      return nil
    case .writePacket(let packet):
      if requests.last == 1 { return [0x10, 1, 1] }
      guard isTakingImage else { return nil }
      image += packet
      onTheWay += 1
      mostOnTheWay = max(mostOnTheWay, onTheWay)
      if image.count == total {
        onTheWay = 0
        return [0x10, 3, 1]
      }
      guard onTheWay == window else { return nil }
      onTheWay = 0
      return [0x11] + count
    case .wait, .done, .aborted, .failed: return nil
    }
  }

  private var count: [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: image.count >> (8 * $0)) }
  }
}
