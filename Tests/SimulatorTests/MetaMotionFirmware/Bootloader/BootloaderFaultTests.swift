import BoardKit
import Testing

@testable import Simulator

/// What goes wrong with a bootloader on request.
struct BootloaderFaultTests {
  private let image = TestImage.bytes(400)

  private func apply(_ defects: BootloaderDefect..., to bench: inout BootloaderBench) {
    for defect in defects { _ = bench.board.apply(.defect(.bootloader(defect)), at: bench.now) }
  }

  @Test func `A jump is ignored, comes back as the application, or leads nowhere`() throws {
    var bench = BootloaderBench()
    apply(.jump(.ignored, 1), to: &bench)
    try bench.jump()
    #expect(bench.board.firmware.isConnected && !bench.effects.contains(.dropLink))

    bench = BootloaderBench()
    apply(.jump(.returned, 1), to: &bench)
    try bench.jump()
    bench.pass(.seconds(4))
    #expect(bench.board.advertisement?.localName == "MetaWear")

    bench = BootloaderBench()
    apply(.jump(.lost, 1), to: &bench)
    try bench.jump()
    bench.pass(.seconds(3600))
    #expect(bench.board.firmware.isBootloader && bench.board.advertisement == nil)
    _ = bench.board.apply(.reset, at: bench.now)
    bench.pass(.seconds(3))
    #expect(bench.board.advertisement?.localName == "MetaWear")
  }

  @Test func `A bootloader is late`() throws {
    var bench = BootloaderBench()
    apply(.late(.seconds(55)), to: &bench)
    try bench.jump()
    bench.pass(.seconds(54))
    #expect(bench.board.advertisement == nil)
    bench.pass(.seconds(1))
    #expect(bench.board.advertisement != nil)
  }

  @Test func `A start takes long, is refused, or is not answered, and is as if it had not been`() throws {
    var bench = try BootloaderBench.ready()
    apply(.erasing(.seconds(85)), to: &bench)
    _ = try bench.control("01 04") + bench.send([TestImage.sizes(application: 400)])
    #expect(bench.told { $0.pass(.seconds(83)) } == [])
    #expect(bench.told { $0.pass(.seconds(2)) } == ["10 01 01"])

    bench = try BootloaderBench.ready()
    apply(.answer(.start, .tooLarge, 1), to: &bench)
    #expect(try bench.begin(image).first == "10 01 04")
    apply(.answer(.start, nil, 1), to: &bench)
    #expect(try bench.control("01 04") + bench.send([TestImage.sizes(application: 400)]) == [])
    _ = try bench.control("06")
    bench.pass(.seconds(3))
    #expect(bench.board.advertisement?.localName == "MetaWear")
  }

  @Test func `A checksum is wrong once, and right then`() throws {
    var bench = try BootloaderBench.ready()
    apply(.answer(.validate, .checksum, 1), to: &bench)
    #expect(try bench.load(image).last == "10 04 05")
    #expect(try bench.control("04") == ["10 04 01"])
  }

  @Test(arguments: [
    (BootloaderDefect.Receipt.lost, [] as [String]), (.doubled, ["11 C8 00 00 00", "11 C8 00 00 00"]),
    (.wrong, ["11 B4 00 00 00"]),
  ])
  func `A receipt is lost, comes twice or is wrong`(receipt: BootloaderDefect.Receipt, told: [String]) throws
  {
    var bench = try BootloaderBench.ready()
    _ = try bench.begin(image)
    apply(.receipt(receipt, 1), to: &bench)
    #expect(try bench.transfer(image) == told + ["10 03 01"])
  }

  @Test func `A receipt is late, and one stands for the last answer`() throws {
    var bench = try BootloaderBench.ready()
    _ = try bench.begin(image)
    apply(.receipt(.late, 1), .receipt(.last, 1), to: &bench)
    #expect(try bench.transfer(image) == [])
    #expect(bench.told { $0.pass(.seconds(13)) } == ["11 C8 00 00 00", "11 90 01 00 00"])
  }

  @Test(arguments: [0, 1, 50, 99, 100])
  func `The link is lost at this percentage, once, and the bootloader advertises again`(percent: Int) throws {
    var bench = try BootloaderBench.ready()
    let image = TestImage.bytes(2000)
    _ = try bench.begin(image)
    apply(.linkLost(percent: percent), to: &bench)
    let told = try bench.transfer(image, window: 200)
    #expect(bench.effects.last == .advertisementChanged && bench.effects.contains(.dropLink))
    #expect(told == [] && bench.board.advertisement != nil)
  }

  @Test func `The link is lost behind a request`() throws {
    var bench = try BootloaderBench.ready()
    apply(.linkLostAfter(.initPacket, 1), to: &bench)
    _ = try bench.control("01 04") + bench.send([TestImage.sizes(application: 400)]) + bench.control("02 00")
    #expect(bench.board.advertisement?.localName == "MetaBoot")
  }

  @Test func `A flipped bit is found by the validation`() throws {
    var bench = try BootloaderBench.ready()
    apply(.flippedBit(1), to: &bench)
    #expect(try bench.load(image).last == "10 04 05")
  }

  @Test func `An empty battery takes the board off the air until there is another one`() throws {
    var bench = try BootloaderBench.ready()
    _ = try bench.begin(image)
    apply(.powerLost(percent: 50), to: &bench)
    _ = try bench.transfer(image)
    bench.pass(.seconds(3600))
    #expect(bench.board.advertisement == nil)
    _ = bench.board.apply(.reset, at: bench.now)
    bench.pass(.seconds(2))
    #expect(bench.board.advertisement?.localName == "MetaBoot")
  }

  @Test func `An activation is lost, starts the old application, or one of another revision`() throws {
    for (activation, revision) in [
      (BootloaderDefect.Activation.lost, "0.3.3"), (.old, "1.5.0"), (.other, "1.6.6"),
    ] {
      var bench = try BootloaderBench.ready()
      apply(.activation(activation, 1), to: &bench)
      _ = try bench.load(image, version: 0x0001_0605) + bench.control("05")
      bench.pass(.seconds(4))
      #expect(bench.revision == revision)
    }
  }

  @Test
  func `A board that dies with its activation is off the air until a reset, and has no application then`()
    throws
  {
    var bench = try BootloaderBench.ready()
    apply(.activation(.dead, 1), to: &bench)
    _ = try bench.load(image) + bench.control("05")
    bench.pass(.seconds(3600))
    #expect(bench.board.advertisement == nil && bench.effects.contains(.dropLink))
    _ = bench.board.apply(.reset, at: bench.now)
    bench.pass(.seconds(2))
    #expect(bench.board.advertisement?.localName == "MetaBoot")
  }

  @Test func `A restless application starts anew every 20 s`() throws {
    var bench = try BootloaderBench.ready()
    apply(.activation(.restless, 1), to: &bench)
    _ = try bench.load(image, version: 0x0001_0605) + bench.control("05")
    bench.pass(.seconds(10))
    _ = bench.board.connected(at: bench.now)
    bench.pass(.seconds(11))
    #expect(!bench.board.firmware.isConnected)
    bench.pass(.seconds(4))
    _ = bench.board.connected(at: bench.now)
    bench.pass(.seconds(16))
    #expect(!bench.board.firmware.isConnected)
  }

  @Test func `Behind a broken transfer it advertises for a second and falls silent`() throws {
    var bench = try BootloaderBench.ready()
    apply(.jam(.silent, 1), to: &bench)
    _ = try bench.begin(image)
    bench.disconnect()
    #expect(bench.board.advertisement != nil)
    bench.pass(.seconds(1))
    #expect(bench.board.advertisement == nil)
    bench.pass(.seconds(3600))
    #expect(bench.board.advertisement == nil)
  }

  @Test func `Behind a start it answers nothing any more, over other links either`() throws {
    var bench = try BootloaderBench.ready()
    apply(.jam(.wedged, 1), to: &bench)
    #expect(try bench.begin(image) == [])
    bench.disconnect()
    #expect(bench.board.advertisement == nil)
    _ = bench.board.apply(.reset, at: bench.now)
    bench.pass(.seconds(2))
    bench.connect()
    #expect(try bench.begin(image) == ["10 01 01", "10 02 01"])
  }

  @Test func `A host that is too fast for a small buffer is told so, a slower one is not`() throws {
    var bench = try BootloaderBench.ready()
    apply(.buffer(4), to: &bench)
    _ = try bench.begin(image)
    #expect(try bench.transfer(image, window: 10).contains("10 03 06"))
    bench = try BootloaderBench.ready()
    apply(.buffer(4), to: &bench)
    _ = try bench.begin(image)
    let told = try bench.transfer(image, window: 4)
    #expect(told.last == "10 03 01" && !told.contains("10 03 06"))
  }

  @Test func `Healing ends all of it`() throws {
    var bench = try BootloaderBench.ready()
    apply(.flippedBit(9), .answer(.validate, .failed, 9), to: &bench)
    _ = bench.board.apply(.healed(.bootloader), at: bench.now)
    #expect(try bench.load(image).last == "10 04 01")
  }
}
