import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

/// Registers of devices on the buses as streams that the host reads (protocol reference, section 18).
@Suite(.timeLimit(.minutes(20))) struct BusSourceTests {
  static let who: JSONObject = ["device": 28, "register": 13, "length": 1]
  static let lowG: JSONObject = [
    "pins": ["ss": 10, "sck": 0, "mosi": 11, "miso": 7], "length": 4, "hex": "da", "clock_hz": 8_000_000,
  ]

  @Test(arguments: TestBoard.all)
  func `every board has both buses, and lists no names`(board: TestBoard) throws {
    #expect(try board.refusal(of: "i2c-who", Self.who) == nil)
    #expect(try board.refusal(of: "spi-low-g", Self.lowG) == nil)
    let listed = try board.inventory().description.streams.map(\.name)
    #expect(!listed.contains { $0.hasPrefix("i2c-") || $0.hasPrefix("spi-") })
  }

  @Test func `SPI needs revision 1, and both need the module (protocol reference, section 3.4)`() throws {
    let old = TestBoard.metaMotionS.with("0d800000")
    #expect(try old.refusal(of: "i2c-who", Self.who) == nil)
    #expect(try old.refusal(of: "spi-low-g", Self.lowG)?.code == .unsupported)
    let none = TestBoard.metaMotionS.with("0d80")
    #expect(try none.refusal(of: "i2c-who", Self.who)?.code == .unsupported)
  }

  @Test func `they are polled, and nothing runs for them`() throws {
    var keys = Self.who
    keys["every"] = "2s"
    let selection = try TestBoard.metaMotionS.select([("i2c-who", keys)])
    #expect(selection.active.first?.isPolled == true && selection.active.first?.period == .seconds(2))
    #expect(selection.setup == RunningSensors())
  }

  private static let numbers: [(keys: JSONObject, data: String, value: Double)] = [
    (["length": 1], "2a", 42), (["length": 1], "ff", 255), (["length": 1, "format": "i"], "ff", -1),
    (["length": 1, "big_endian": false], "80", 128), (["length": 2], "0102", 258),
    (["length": 2, "big_endian": false], "0102", 513), (["length": 2, "format": "i"], "fffe", -2),
    (["length": 2, "format": "i", "big_endian": false], "feff", -2), (["length": 3], "800000", 8_388_608),
    (["length": 3, "format": "i"], "800001", -8_388_607),
    (["length": 3, "format": "i", "big_endian": false], "010080", -8_388_607),
    (["length": 4], "ffffffff", 4_294_967_295), (["length": 4, "format": "i"], "80000000", -2_147_483_648),
    (["length": 4, "big_endian": false], "01000080", 2_147_483_649),
    // Behind the bytes that were asked for others may stand.
    (["length": 1], "2a00", 42),
  ]

  @Test(arguments: numbers.indices) func `bytes are numbers as it was said`(index: Int) async throws {
    let (keys, data, value) = Self.numbers[index]
    let session = try await DriverSession.interviewed(.metaMotionS)
    let configuration = Self.who.merging(keys)
    async let read = session.read("i2c-who", configuration)
    let length = keys["length"]?.integer ?? 0
    try await session.link.expect(bytes("0d811c0dff0\(length)"), answer: bytes("0d81ff" + data))
    #expect(try await read.get() == [value])
  }

  @Test func `SPI sends what it shall first`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let read = session.read("spi-low-g", Self.lowG)
    try await session.link.expect(bytes("0d820a000b0776f3da"), answer: bytes("0d820f0730810b"))
    #expect(try await read.get() == [0x0730_810B])
  }

  @Test func `T31 answers come in either form`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let read = session.read("i2c-who", Self.who)
    try await session.link.expect(bytes("0d811c0dff01"), answer: bytes("0d01ff2a"))
    #expect(try await read.get() == [42])
  }

  @Test func `what the board reads for its chains answers no question`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let read = session.read("i2c-who", Self.who)
    try await session.link.expect(bytes("0d811c0dff01"))
    await session.link.answer(bytes("0d818f07"))
    await session.link.answer(bytes("0d81ff2a"))
    #expect(try await read.get() == [42])
    #expect(await session.verdicts == [.unwanted])
  }

  @Test func `where no device answers the address is named`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let read = session.read("i2c-who", ["device": 29, "register": 13, "length": 1])
    for _ in 1...2 {
      try await session.link.expect(bytes("0d811d0dff01"))
      await session.advance(by: .seconds(5))
    }
    let failure = await read.failure
    #expect(failure?.code == .boardError && failure?.message.contains("address 29 of the I2C bus") == true)
  }

  @Test func `too few bytes are no number`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let read = session.read("i2c-who", ["device": 28, "register": 13, "length": 2])
    try await session.link.expect(bytes("0d811c0dff02"), answer: bytes("0d81ff2a"))
    #expect(await read.failure?.code == .boardError)
  }
}
