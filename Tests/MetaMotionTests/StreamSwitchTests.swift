import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

/// What a start switches on, and what values read on demand go by.
@Suite(.timeLimit(.minutes(20)))
struct StreamSwitchTests {
  private let control = StreamControlTests()
  private static let key = StreamControlTests.key
  private static let readMask = StreamControlTests.readMask

  @Test func `F106 a switch that was lost is written once more, and then proved`() async throws {
    let session = try await control.quietSession()
    async let applied = session.apply(control.wanted(100))
    try await control.expectStart(session)
    try await session.link.expect(Self.readMask, answer: bytes("038200"))
    try await session.link.expect(each: ["03020100", "030101"].map(bytes))
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    let result = try await applied.get()
    #expect(result.refused.isEmpty && result.evidence == .readback && result.active.count == 1)
    try await session.link.expectNothing()
  }

  @Test(
    arguments: [0, 1, 2])
  func `F106 a sensor that only the board hears, and whose power nobody can read, is listened to once`(
    silences: Int
  ) async throws {
    let session = try await control.quietSession()
    async let applied = session.apply(control.logged)
    try await control.expectSettings(session)
    try await session.link.expect(each: ["03020100", "030101"].map(bytes))
    try await session.link.expect(Self.readMask, answer: bytes("038201"))
    for round in 0..<min(silences + 1, 2) {
      if round > 0 { try await session.link.expect(each: ["03020100", "030101"].map(bytes)) }
      try await session.link.expect(bytes("030401"))
      if round < silences {
        await session.advance(by: .seconds(1))
      } else {
        await session.link.answer(bytes("0304 0020 0000 0000"))
      }
      try await session.link.expect(bytes("030400"))
    }
    let result = try await applied.get()
    #expect(result.refused.isEmpty == (silences < 2))
    let refusal = result.refused[Self.key]
    #expect(result.refused.isEmpty || refusal?.code == .boardError)
    #expect(result.refused.isEmpty || refusal?.message.contains("no sample was received within 1s") == true)
    try await session.link.expectNothing()
  }

  @Test(arguments: [true, false])
  func `F106 what fusion needs besides itself is read back, too`(isHealed: Bool) async throws {
    let session = try await control.quietSession()
    let streams = [Self.key: StreamRequest(name: "quaternion", configuration: ["mode": "imuplus"])]
    let inventory = try TestBoard.metaMotionS.inventory()
    let run = try #require(StreamSelection(streams, button: false, on: inventory).setup.runs[.fusion])
    async let applied = session.apply(streams)
    for case .write(let command) in run.configure { try await session.link.expect(command) }
    for readBack in run.configurationReadBacks {
      try await session.link.expect(readBack.question, answer: readBack.question + readBack.payload)
    }
    try await session.link.expect(each: run.registers.map(\.subscribe) + run.start)
    for round in 1...2 {
      for readBack in run.switchReadBacks {
        let isLost = readBack.register == SensorFusion.outputs && (round == 1 || !isHealed)
        try await session.link.expect(
          readBack.question, answer: readBack.question + (isLost ? [0] : readBack.payload))
      }
      if round == 1 { try await session.link.expect(each: run.start) }
    }
    let result = try await applied.get()
    #expect(result.refused.isEmpty == isHealed && result.active.isEmpty == !isHealed)
    #expect(isHealed || result.refused[Self.key]?.message.contains("register 1903") == true)
    try await session.link.expectNothing()
  }

  @Test
  func
    `F108 a polled stream of another setting is refused; one of which the board does not tell it is in doubt`()
    async throws
  {
    let session = try await control.quietSession()
    let pins: JSONObject = ["every": "1s", "data_pin": 0, "pulldown_pin": 1]
    let streams = [Self.key: StreamRequest(name: "temperature-external", configuration: pins)]
    async let first = session.apply(streams)
    for _ in 0..<2 {
      try await session.link.expect(bytes("040202000100"))
      try await session.link.expect(bytes("048202"), answer: bytes("048202020300"))
    }
    let refused = try await first.get()
    #expect(refused.active.isEmpty && refused.refused[Self.key]?.message.contains("holds 020300") == true)
    async let second = session.apply(streams)
    for _ in 0..<2 {
      try await session.link.expect(bytes("040202000100"))
      try await session.link.expect(bytes("048202"))
      await session.advance(by: .seconds(1))
    }
    let doubted = try await second.get()
    #expect(doubted.active.first?.doubts == [.configUnverified] && doubted.evidence == .linkWrite)
  }
}
