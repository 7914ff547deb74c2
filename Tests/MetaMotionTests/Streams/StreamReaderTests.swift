import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite(.timeLimit(.minutes(20)))
struct StreamReaderTests {
  @Test(
    arguments: [
      ("battery", "118c", "118c633410", [99, 4_148]), ("battery-mv", "118c", "118c633410", [4_148]),
      ("battery-pct", "118c", "118c633410", [99]), ("switch", "0181", "018101", [1]),
      ("power-status", "1191", "119101", [1]), ("charge-status", "1192", "119200", [0]),
      ("temperature-die", "048100", "048100fe00", [31.75]),
      ("temperature-thermistor", "048101", "048101acff", [-10.5]), ("steps", "038b", "038b2b00", [43]),
      ("gpio-1-voltage", "058601ffff00ff", "058601c209", [2_498]),
      ("gpio-4-digital", "058804", "05880401", [1]),
    ] as [(String, String, String, [Double])])
  func `one question one answer`(stream: String, question: String, answer: String, values: [Double])
    async throws
  {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let read = session.read(stream)
    try await session.link.expect(bytes(question), answer: bytes(answer))
    #expect(try await read.get() == values)
  }

  @Test func `T68 the channel is the one that this board lists`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS.with("04800100020300"))
    async let read = session.read("temperature-die")
    try await session.link.expect(bytes("048102"))
    // An answer of another channel is no answer.
    await session.link.answer(bytes("0481000001"))
    await session.link.answer(bytes("0481020001"))
    #expect(try await read.get() == [32])
    #expect(await session.verdicts == [.unwanted])
  }

  @Test func `an external thermistor is configured first`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let read = session.read(
      "temperature-external", ["data_pin": 0, "pulldown_pin": 1, "active_high": true])
    try await session.link.expect(bytes("040202000101"))
    try await session.link.expect(bytes("048202"), answer: bytes("048202000101"))
    try await session.link.expect(bytes("048102"), answer: bytes("048102acff"))
    #expect(try await read.get() == [-10.5])
  }

  @Test(
    arguments: ["04820200ff00", ""])
  func `F108 pins of a thermistor that got lost are written once more before it is asked`(onBoard: String)
    async throws
  {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let read = session.read("temperature-external", ["data_pin": 0, "pulldown_pin": 1])
    try await session.link.expect(bytes("040202000100"))
    try await session.link.expect(bytes("048202"))
    if onBoard.isEmpty {
      await session.advance(by: .seconds(1))
    } else {
      await session.link.answer(bytes(onBoard))
    }
    try await session.link.expect(bytes("040202000100"))
    try await session.link.expect(bytes("048202"), answer: bytes("048202000100"))
    try await session.link.expect(bytes("048102"), answer: bytes("048102acff"))
    #expect(try await read.get() == [-10.5])
  }

  @Test func `F108 a thermistor on other pins than wanted gives no value`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let read = session.read("temperature-external", ["data_pin": 0, "pulldown_pin": 1])
    for _ in 0..<2 {
      try await session.link.expect(bytes("040202000100"))
      try await session.link.expect(bytes("048202"), answer: bytes("048202020300"))
    }
    guard case .failure(let failure) = await read else {
      Issue.record("a value")
      return
    }
    #expect(failure.code == .boardError && failure.message.contains("holds 020300"))
    try await session.link.expectNothing()
  }

  @Test func `F108 a board that does not tell the pins of its thermistor is asked once a link`() async throws
  {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let first = session.read("temperature-external", ["data_pin": 0, "pulldown_pin": 1])
    for _ in 0..<2 {
      try await session.link.expect(bytes("040202000100"))
      try await session.link.expect(bytes("048202"))
      await session.advance(by: .seconds(1))
    }
    try await session.link.expect(bytes("048102"), answer: bytes("048102acff"))
    #expect(try await first.get() == [-10.5])
    async let second = session.read("temperature-external", ["data_pin": 0, "pulldown_pin": 1])
    try await session.link.expect(bytes("040202000100"))
    try await session.link.expect(bytes("048102"), answer: bytes("048102acff"))
    #expect(try await second.get() == [-10.5])
  }

  @Test func `the barometer runs for its temperature only`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let read = session.read("temperature-bmp280")
    try await session.link.expect(bytes("1284"), answer: bytes("12840000"))
    try await session.link.expect(bytes("12040101"))
    try await session.link.expectNothing()
    await session.advance(by: .milliseconds(100))
    try await session.link.expect(bytes("048103"), answer: bytes("048103b400"))
    try await session.link.expect(bytes("12040000"))
    #expect(try await read.get() == [22.5])
  }

  @Test func `pressure needs the barometer`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let read = session.read("pressure")
    try await session.link.expect(bytes("1284"), answer: bytes("12840101"))
    try await session.link.expect(bytes("1281"), answer: bytes("1281d3358b01"))
    #expect(try await read.get() == [101_173.82421875])
  }

  @Test func `34 every readable stream of every board has a question`() throws {
    for board in TestBoard.all + [TestBoard.metaMotionS.with("16800000")] {
      let inventory = try board.inventory()
      let sources = StreamSources(on: inventory)
      for name in inventory.description.streams.map(\.name) {
        let definition = try #require(StreamCatalogue.find(name)).stream
        let index = try #require(sources.index(for: definition))
        let pins: JSONObject = ["data_pin": 0, "pulldown_pin": 1]
        let question = try sources.all[index].question(for: definition, pins)
        #expect(definition.isReadable ? question != nil : true, "\(name)")
      }
    }
  }

  @Test func `a barometer that runs is left alone`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let read = session.read("temperature-bmp280")
    try await session.link.expect(bytes("1284"), answer: bytes("12840101"))
    try await session.link.expect(bytes("048103"), answer: bytes("048103b400"))
    #expect(try await read.get() == [22.5])
    try await session.link.expectNothing()
  }

  @Test func `F28 a read is repeated once, then the board is at fault`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let read = session.read("battery")
    for _ in 0..<2 {
      try await session.link.expect(bytes("118c"))
      await session.advance(by: .seconds(5))
    }
    #expect(await read.failure?.code == .boardError)
    try await session.link.expectNothing()
  }

  @Test func `an answer that cannot be read is the boards fault`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let read = session.read("battery")
    try await session.link.expect(bytes("118c"), answer: bytes("118c63"))
    #expect(await read.failure?.code == .boardError)
  }

  @Test func `a lost link is not the boards fault`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let read = session.read("battery")
    try await session.link.expect(bytes("118c"))
    await session.link.end(because: LinkFailure(.linkLost, "out of range"))
    #expect(await read.failure?.code == .unreachable)
  }

  @Test(arguments: [
    "acceleration", "temperature-bmp280", "quaternion", "battery-w", "gpio-2-change", "any-motion",
  ])
  func `what cannot be read is unsupported`(stream: String) async throws {
    let session = try await DriverSession.interviewed(.metaMotionRL)
    #expect(await session.read(stream).failure?.code == .unsupported)
    try await session.link.expectNothing()
  }
}
