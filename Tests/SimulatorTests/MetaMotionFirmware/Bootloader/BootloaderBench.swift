import BoardKit

@testable import Simulator

/// A board on the bench whose bootloader is driven with packets as text.
struct BootloaderBench {
  /// Longer than anything takes that a test waits for without saying so.
  static let pause = Duration.seconds(1)

  var board: MetaMotionBoard
  private(set) var now = Duration.zero
  /// What the board did, in order.
  private(set) var effects: [BoardEffect] = []

  init(_ model: BoardModel = .r, _ change: (inout BootloaderTraits) -> Void = { _ in }) {
    var traits = BootloaderTraits()
    change(&traits)
    board = MetaMotionBoard(
      Firmware(model: model, identity: BoardIdentity(number: 1), seed: 1), bootloader: traits)
  }

  /// In its bootloader, connected, with notifications.
  static func ready(
    _ model: BoardModel = .r, _ change: (inout BootloaderTraits) -> Void = { _ in }
  ) throws -> BootloaderBench {
    var bench = BootloaderBench(model, change)
    try bench.jump()
    bench.connect()
    return bench
  }

  mutating func jump() throws {
    effects += board.connected(at: now)
    effects += try board.write([0xFE, 0x02], to: MetaMotionAttributes.command, as: .command, at: now)
    pass(.seconds(1))
  }

  mutating func connect(subscribing: Bool = true) {
    effects += board.connected(at: now)
    if subscribing {
      effects += board.subscribed(true, to: MetaMotionAttributes.bootloaderControl, at: now)
    }
  }

  mutating func disconnect() { effects += board.disconnected(at: now) }

  /// Lets time pass as a driver does: from event to event.
  mutating func pass(_ duration: Duration) {
    let end = now + duration
    while let next = board.nextEvent, next <= end { effects += board.advance(to: next) }
    now = end
    effects += board.advance(to: end)
  }

  /// Lets time pass until the board does something by itself.
  mutating func step() {
    guard let next = board.nextEvent else { return }
    now = max(now, next)
    effects += board.advance(to: now)
  }

  /// Writes to the control point, waits, and returns what was notified meanwhile.
  mutating func control(_ packets: String...) throws -> [String] {
    try told { bench in
      for packet in packets {
        bench.effects += try bench.board.write(
          [UInt8](hex: packet), to: MetaMotionAttributes.bootloaderControl, as: .request, at: bench.now)
        bench.pass(Self.pause)
      }
    }
  }

  /// Writes packets, one behind the other.
  mutating func send(_ packets: [[UInt8]]) throws -> [String] {
    try told { bench in
      try bench.write(packets)
      bench.pass(Self.pause)
    }
  }

  /// Writes packets, which are on their way from now on.
  mutating func write(_ packets: [[UInt8]]) throws {
    for packet in packets {
      effects += try board.write(packet, to: MetaMotionAttributes.bootloaderPacket, as: .command, at: now)
    }
  }

  /// What is notified while something is done.
  mutating func told(_ action: (inout BootloaderBench) throws -> Void) rethrows -> [String] {
    let before = effects.count
    try action(&self)
    return Self.notices(effects[before...])
  }

  static func notices(_ effects: some Sequence<BoardEffect>) -> [String] {
    effects.compactMap { effect in
      if case .notify(MetaMotionAttributes.bootloaderControl, let value) = effect { value.hex } else { nil }
    }
  }

  func read(_ characteristic: Characteristic) throws -> String {
    var board = board
    return String(decoding: try board.read(characteristic, at: now), as: UTF8.self)
  }

  /// As device information shows it.
  var revision: String? {
    try? read(
      Characteristic(
        service: MetaMotionAttributes.deviceInformation, uuid: MetaMotionAttributes.firmwareRevision))
  }
}

// A whole transfer.
extension BootloaderBench {
  /// Announces an application and sends its init packet.
  mutating func begin(_ image: [UInt8], version: UInt32 = 0x0001_0605, checksum: UInt16? = nil) throws
    -> [String]
  {
    try begin(image, TestImage.initPacket(of: image, version: version, checksum: checksum))
  }

  mutating func begin(_ image: [UInt8], _ initPacket: [UInt8]) throws -> [String] {
    try control("01 04") + send([TestImage.sizes(application: image.count)]) + control("02 00")
      + send(TestImage.pieces(initPacket)) + control("02 01")
  }

  /// Sends an image in windows, as its receipts come; what was notified.
  mutating func transfer(_ image: [UInt8], window: Int = 10) throws -> [String] {
    var told = try control("08 \([UInt8(window)].hex) 00", "03")
    let pieces = TestImage.pieces(image)
    for start in stride(from: 0, to: pieces.count, by: window) {
      told += try send(Array(pieces[start..<min(start + window, pieces.count)]))
    }
    return told
  }

  /// All of it, up to the validation; what was answered, without receipts.
  mutating func load(_ image: [UInt8], version: UInt32 = 0x0001_0605) throws -> [String] {
    let told = try begin(image, version: version) + transfer(image) + control("04")
    return told.filter { !$0.hasPrefix("11") }
  }
}

/// Images that mean nothing.
enum TestImage {
  static func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) } }

  static func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
    stride(from: 0, to: bytes.count, by: 20).map { Array(bytes[$0..<min($0 + 20, bytes.count)]) }
  }

  static func sizes(softDevice: Int = 0, bootloader: Int = 0, application: Int = 0) -> [UInt8] {
    [softDevice, bootloader, application].flatMap { UInt32($0).littleEndianBytes }
  }

  static func initPacket(
    of image: [UInt8], type: UInt16 = 0xFFFF, revision: UInt16 = 0xFFFF, version: UInt32 = 0xFFFF_FFFF,
    softDevices: [UInt16] = [0xFFFE], checksum: UInt16? = nil
  ) -> [UInt8] {
    type.littleEndianBytes + revision.littleEndianBytes + version.littleEndianBytes
      + UInt16(softDevices.count).littleEndianBytes + softDevices.flatMap(\.littleEndianBytes)
      + (checksum ?? ImageChecksum.of(image)).littleEndianBytes
  }
}
