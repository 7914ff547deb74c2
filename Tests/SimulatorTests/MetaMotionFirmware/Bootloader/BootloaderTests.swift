import BoardKit
import FleetModel
import Testing

@testable import Simulator

struct BootloaderTests {
  private let image = TestImage.bytes(400)

  @Test func `A jump ends the link, and a second later MetaBoot is on the air with its own version`() throws {
    var bench = BootloaderBench()
    try bench.jump()
    #expect(bench.effects.suffix(3) == [.dropLink, .advertisementChanged, .advertisementChanged])
    #expect(bench.board.advertisement?.localName == "MetaBoot")
    #expect(bench.board.advertisement?.service == MetaMotionAttributes.bootloader)
    #expect(bench.revision == "0.3.3" && bench.board.mtu == 23)
    #expect(try bench.read(MetaMotionAttributes.bootloaderVersion) == "\u{8}\0")
  }

  @Test func `A whole transfer is answered step by step, and new firmware starts`() throws {
    var bench = try BootloaderBench.ready()
    #expect(try bench.begin(image, version: 0x0001_0605) == ["10 01 01", "10 02 01"])
    #expect(try bench.transfer(image) == ["11 C8 00 00 00", "10 03 01"])
    #expect(try bench.control("04") == ["10 04 01"])
    #expect(try bench.control("05") == [])
    #expect(bench.effects.contains(.dropLink))
    bench.pass(.seconds(3))
    #expect(bench.board.advertisement?.localName == "MetaWear")
    #expect(bench.revision == "1.6.5" && !bench.board.firmware.isBootloader)
  }

  @Test func `F290 nothing is answered while notifications are off, and control is no command`() throws {
    var bench = BootloaderBench()
    try bench.jump()
    bench.connect(subscribing: false)
    #expect(throws: AttributeError.configurationImproper) { try bench.control("06") }
    #expect(throws: AttributeError.writeNotPermitted) {
      try bench.board.write([6], to: MetaMotionAttributes.bootloaderControl, as: .command, at: bench.now)
    }
    #expect(throws: AttributeError.invalidLength) {
      try bench.board.write(
        [UInt8](repeating: 0, count: 24), to: MetaMotionAttributes.bootloaderPacket, as: .command,
        at: bench.now)
    }
    #expect(bench.board.firmware.isBootloader)
  }

  @Test func `The start is answered when the flash is erased, page by page`() throws {
    var bench = try BootloaderBench.ready()
    _ = try bench.control("01 04")
    try bench.write([TestImage.sizes(application: 40_960)])
    #expect(bench.told { $0.pass(.milliseconds(840)) } == [])
    #expect(bench.told { $0.pass(.milliseconds(130)) } == ["10 01 01"])
  }

  @Test func `F290 a lost link keeps what came, so that a second start is refused until a reset`() throws {
    var bench = try BootloaderBench.ready()
    _ = try bench.begin(image)
    bench.disconnect()
    #expect(bench.board.advertisement?.localName == "MetaBoot")
    bench.connect()
    #expect(try bench.begin(image).first == "10 01 02")
    #expect(try bench.control("06") == [])
    bench.pass(.seconds(1))
    // The application went with the start.
    #expect(bench.board.advertisement?.localName == "MetaBoot")
    bench.connect()
    #expect(try bench.load(image) == ["10 01 01", "10 02 01", "10 03 01", "10 04 01"])
  }

  @Test func `F291 a reset starts the old application unless a transfer was begun, with two banks also then`()
    throws
  {
    for (banks, begins, returns) in [(1, false, true), (1, true, false), (2, true, true)] {
      var bench = try BootloaderBench.ready { $0.hasOneBank = banks == 1 }
      if begins { _ = try bench.begin(image) }
      _ = try bench.control("06")
      bench.pass(.seconds(4))
      #expect(bench.board.firmware.isBootloader != returns)
      if returns { #expect(bench.revision == "1.5.0") }
    }
  }

  @Test func `Six minutes without a word end in a reset`() throws {
    var bench = try BootloaderBench.ready()
    bench.pass(.seconds(358))
    #expect(bench.board.firmware.isBootloader)
    bench.pass(.seconds(2))
    #expect(!bench.board.firmware.isBootloader && bench.effects.contains(.dropLink))
  }

  @Test func `An activation without a validated image only resets`() throws {
    var bench = try BootloaderBench.ready()
    _ = try bench.begin(image) + bench.transfer(image) + bench.control("05")
    bench.pass(.seconds(2))
    #expect(bench.board.firmware.isBootloader && bench.revision == "0.3.3")
  }

  @Test func `F290 an application needs its bootloader, and bootloaders follow each other`() throws {
    var bench = try BootloaderBench.ready()
    #expect(try bench.begin(image, version: 0x0001_0703).last == "10 02 06")
    for (version, revision) in [(UInt32(0x0000_0400), "0.4.0"), (0x0000_0500, "0.5.0")] {
      _ = try bench.control("06")
      bench.pass(.seconds(1))
      bench.connect()
      let packet = TestImage.initPacket(of: image, version: version)
      _ =
        try bench.control("01 02") + bench.send([TestImage.sizes(bootloader: image.count)])
        + bench.control("02 00") + bench.send(TestImage.pieces(packet)) + bench.control("02 01")
      _ = try bench.transfer(image) + bench.control("04", "05")
      bench.pass(.seconds(2))
      // There is no application, so the new bootloader waits for one.
      #expect(bench.board.firmware.isBootloader && bench.revision == revision)
      bench.connect()
    }
    #expect(try bench.load(image, version: 0x0001_0703).last == "10 04 01")
    _ = try bench.control("05")
    bench.pass(.seconds(3))
    #expect(bench.revision == "1.7.3")
  }

  @Test func `F293 at the next address FF becomes 00, without a carry`() throws {
    for (number, address) in [(UInt16(1), UInt64(0xC0FF_EE00_0002)), (0x12FF, 0xC0FF_EE00_1200)] {
      var traits = BootloaderTraits()
      traits.place = .nextAddress
      let identity = BoardIdentity(number: number)
      var board = MetaMotionBoard(Firmware(model: .s, identity: identity, seed: 1), bootloader: traits)
      #expect(board.address == identity.address)
      _ = board.connected(at: .zero)
      _ = try board.write([0xFE, 0x02], to: MetaMotionAttributes.command, as: .command, at: .zero)
      #expect(board.address == BluetoothAddress(rawValue: address))
    }
  }

  /// Six packets in an event: a window of ten takes two, and its receipt comes in the next.
  @Test(arguments: [15, 30, 50])
  func `F294 the connection interval bounds the bytes per second, window by window`(milliseconds: Int) throws
  {
    let interval = Duration.milliseconds(milliseconds)
    var bench = try BootloaderBench.ready { $0.link.interval = interval }
    let image = TestImage.bytes(4000)
    _ = try bench.begin(image)
    _ = try bench.control("08 0A 00", "03")
    let start = bench.now
    let pieces = TestImage.pieces(image)
    for window in stride(from: 0, to: pieces.count, by: 10) {
      try bench.write(Array(pieces[window..<window + 10]))
      let before = bench.effects.count
      while bench.effects.count == before { bench.step() }
    }
    #expect(BootloaderBench.notices(bench.effects).last == "10 03 01")
    let windows = image.count / 200
    #expect(bench.now - start <= interval * (3 * windows))
    #expect(bench.now - start > interval * (3 * windows - 1))
  }

  @Test func `An application that was made invalid never starts, until another one is loaded`() throws {
    var bench = BootloaderBench()
    _ = bench.board.connected(at: .zero)
    _ = try bench.board.write([0xFE, 0x08], to: MetaMotionAttributes.command, as: .command, at: .zero)
    #expect(bench.board.firmware.isInvalidated)
    _ = bench.board.apply(.reset, at: .seconds(2))
    bench.pass(.seconds(10))
    #expect(bench.board.advertisement?.localName == "MetaBoot")
    bench.connect()
    _ = try bench.load(image, version: 0x0001_0605) + bench.control("05")
    bench.pass(.seconds(4))
    #expect(bench.revision == "1.6.5" && !bench.board.firmware.isInvalidated)
  }

  @Test func `New firmware takes the log along, unless it is said to stay`() throws {
    for keeps in [false, true] {
      var bench = BootloaderBench { $0.keepsWhatIsStored = keeps }
      _ = bench.board.connected(at: .zero)
      for packet in ["0B 02 03 04 FF 60", "03 02 01 00", "03 01 01", "0B 01 01"] {
        _ = try bench.board.write(
          [UInt8](hex: packet), to: MetaMotionAttributes.command, as: .command, at: .zero)
      }
      bench.pass(.seconds(2))
      _ = try bench.board.write([0xFE, 0x02], to: MetaMotionAttributes.command, as: .command, at: bench.now)
      bench.pass(.seconds(1))
      bench.connect()
      _ = try bench.load(image, version: 0x0001_0605) + bench.control("05")
      bench.pass(.seconds(4))
      _ = bench.board.connected(at: bench.now)
      let length = try bench.board.write(
        [0x0B, 0x85], to: MetaMotionAttributes.command, as: .command, at: bench.now)
      #expect((length == [.notify(MetaMotionAttributes.notification, [0x0B, 0x85, 0, 0, 0, 0])]) == !keeps)
    }
  }

  @Test func `Nothing that a host writes makes it trap`() throws {
    var random = SeededGenerator(seed: 20_261_127)
    for _ in 0..<200 {
      var bench = try BootloaderBench.ready { $0.link.buffer = Bool.random(using: &random) ? 2 : nil }
      for _ in 0..<40 {
        let bytes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
          UInt8.random(in: 0...(Bool.random(using: &random) ? 9 : 255), using: &random)
        }
        if Bool.random(using: &random) {
          _ = try? bench.control(bytes.hex)
        } else {
          _ = try? bench.send([bytes, TestImage.sizes(application: 4 * Int(bytes.first ?? 0))])
        }
        if bench.board.advertisement != nil { bench.connect() }
      }
    }
  }
}
