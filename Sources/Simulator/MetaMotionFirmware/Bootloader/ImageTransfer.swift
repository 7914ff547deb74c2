/// What a bootloader has been sent since it started, by Nordic's legacy protocol as SDK 11 speaks it: what each write
/// does, and how it is answered. A value without time: whoever holds it erases, answers and resets.
struct ImageTransfer: Sendable {
  /// What a transfer is held against.
  struct Rules: Sendable {
    let traits: BootloaderTraits
    let device: BootloaderTraits.Device
    /// For images, in bytes.
    let room: Int
    /// Of the bootloader.
    let revision: FirmwareRevision
  }

  /// An image that came whole and is what it claims to be.
  struct Image: Equatable, Sendable {
    let kind: ImageKind
    /// Nil where neither the init packet nor the image says.
    let revision: FirmwareRevision?
  }

  /// What is to be done because of a write, in order.
  enum Step: Equatable, Sendable {
    case answer(BootloaderRequest, BootloaderStatus)
    /// To something that is no request.
    case refuse(opcode: UInt8)
    case tellSize(UInt32)
    case receipt(UInt32)
    /// So many bytes, and then `flashErased`.
    case erase(Int)
    case activate(Image)
    case reset
  }

  private enum Stage {
    case idle, erasing, ready, collecting, initialised, receiving, overrun, complete, validated
  }

  /// What packets are, by the last request that announced some.
  private enum Expectation { case nothing, sizes, initPacket, image }

  private static let longestInitPacket = 128
  private static let alignment = 4

  private let rules: Rules
  private var stage = Stage.idle
  private var expectation = Expectation.nothing
  private var sizes: ImageSizes?
  /// As it came, padded after each piece, and how many bytes the last padding has.
  private var initPacket: [UInt8] = []
  private var padding = 0
  private var claims: ImageClaims?
  private var image: [UInt8] = []
  /// Since the bootloader started.
  private var received: UInt32 = 0
  private var receivedBefore: UInt32 = 0
  /// Packets to a receipt, and those since the last; 0 for none.
  private var receiptInterval: UInt16 = 0
  private var packets: UInt16 = 0

  init(_ rules: Rules) { self.rules = rules }

  /// An image was announced, and there is no application any more where that has one bank.
  var hasBegun: Bool { sizes != nil }
  var isUnfinished: Bool { hasBegun && stage != .validated }
  var expectsImage: Bool { expectation == .image && (stage == .initialised || stage == .receiving) }

  /// How much of the image is there, in percent.
  var percent: Int { sizes.map { image.count * 100 / max(1, $0.total) } ?? 0 }

  /// Of the image that came, in bytes, as receipts count them.
  var total: UInt32 { rules.traits.receiptsCountFromStart ? received &- receivedBefore : received }

  /// The host wrote to the control point.
  mutating func control(_ bytes: [UInt8]) -> [Step] {
    guard let opcode = bytes.first else { return [] }
    guard let request = BootloaderRequest(rawValue: opcode) else { return [.refuse(opcode: opcode)] }
    switch request {
    case .start:
      guard bytes.count > 1 else { return [.answer(.start, .failed)] }
      expectation = .sizes
    case .initPacket:
      guard bytes.count > 1 else { return [.answer(.initPacket, .failed)] }
      guard bytes[1] == 0 else { return [.answer(.initPacket, completeInitPacket())] }
      expectation = .initPacket
    case .receipts:
      guard let interval = UInt16(littleEndian: bytes, at: 1) else {
        return [.answer(.receipts, .notSupported)]
      }
      (receiptInterval, packets) = (interval, 0)
    case .image: expectation = .image
    case .validate: return [.answer(.validate, validate())]
    case .activate:
      guard stage == .validated, let sizes else { return [.reset] }
      return [.activate(Image(kind: sizes.kind, revision: claims?.revision ?? .found(in: image)))]
    case .reset: return [.reset]
    case .size: return [.tellSize(received)]
    }
    return []
  }

  /// The host wrote to the packet characteristic.
  mutating func packet(_ bytes: [UInt8]) -> [Step] {
    switch expectation {
    // What nobody announced is ignored without a word.
    case .nothing: return []
    case .sizes:
      expectation = .nothing
      return [announce(bytes)]
    case .initPacket: return collect(bytes).map { [.answer(.initPacket, $0)] } ?? []
    case .image: return take(bytes)
    }
  }

  /// The flash for the image is ready.
  mutating func flashErased() -> [Step] {
    guard stage == .erasing else { return [] }
    stage = .ready
    return [.answer(.start, .success)]
  }

  /// A request that was carried out is answered otherwise, and is as if it had not been.
  mutating func withdraw(_ request: BootloaderRequest) {
    switch request {
    case .start: (stage, sizes) = (.idle, nil)
    case .initPacket:
      (stage, claims) = (.ready, nil)
      emptyInitPacket()
    case .validate: stage = .complete
    case .image, .activate, .reset, .size, .receipts: break
    }
  }
}

// The start, and the init packet.
extension ImageTransfer {
  private mutating func announce(_ packet: [UInt8]) -> Step {
    guard let announced = ImageSizes(packet) else { return .answer(.start, .notSupported) }
    if let refusal = announced.refusal(room: rules.room) { return .answer(.start, refusal) }
    guard !hasBegun else { return .answer(.start, .invalidState) }
    sizes = announced
    stage = .erasing
    receivedBefore = received
    return .erase(announced.total)
  }

  /// Takes a piece of the init packet; why not, where it does not.
  private mutating func collect(_ piece: [UInt8]) -> BootloaderStatus? {
    switch stage {
    case .ready, .collecting: stage = .collecting
    case .initialised:
      // Another one, from its beginning.
      emptyInitPacket()
      stage = .collecting
    case .idle, .erasing, .receiving, .overrun, .complete, .validated: return .invalidState
    }
    let whole = (piece.count + Self.alignment - 1) / Self.alignment * Self.alignment
    guard initPacket.count + whole <= Self.longestInitPacket else { return .failed }
    padding = whole - piece.count
    initPacket += piece + [UInt8](repeating: 0, count: padding)
    return nil
  }

  private mutating func completeInitPacket() -> BootloaderStatus {
    guard stage == .collecting, let sizes else { return .invalidState }
    guard let claims = ImageClaims(initPacket.dropLast(padding)), isAccepted(claims, sizes) else {
      emptyInitPacket()
      return .failed
    }
    self.claims = claims
    stage = .initialised
    return .success
  }

  private func isAccepted(_ claims: ImageClaims, _ sizes: ImageSizes) -> Bool {
    if case .digest(let length, _) = claims.proof, Int(length) != sizes.total { return false }
    guard rules.traits.checksDevice else { return true }
    return claims.isFor(rules.device)
      && rules.traits.takes(sizes.kind, claims.revision, on: rules.revision)
  }

  private mutating func emptyInitPacket() { (initPacket, padding) = ([], 0) }
}

// The image.
extension ImageTransfer {
  private mutating func take(_ packet: [UInt8]) -> [Step] {
    switch stage {
    case .initialised, .receiving: stage = .receiving
    case .overrun, .complete, .validated:
      stage = .overrun
      return [.answer(.image, .tooLarge)]
    case .idle, .erasing, .ready, .collecting: return [.answer(.image, .invalidState)]
    }
    guard !packet.isEmpty, packet.count % Self.alignment == 0 else { return [.answer(.image, .notSupported)] }
    guard let sizes, image.count + packet.count <= sizes.total else {
      stage = .overrun
      return [.answer(.image, .tooLarge)]
    }
    image += packet
    received &+= UInt32(packet.count)
    packets &+= 1
    if image.count == sizes.total {
      stage = .complete
      return [.answer(.image, .success)]
    }
    guard receiptInterval > 0, packets >= receiptInterval else { return [] }
    packets = 0
    return [.receipt(total)]
  }

  private mutating func validate() -> BootloaderStatus {
    guard stage == .complete || stage == .validated, let claims else { return .invalidState }
    guard claims.matches(image) else { return .checksum }
    stage = .validated
    return .success
  }
}
