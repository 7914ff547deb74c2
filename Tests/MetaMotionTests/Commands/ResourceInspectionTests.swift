import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

/// MQTT contract 3.3: `resources` and `processor`, on a board that others have programmed.
@Suite(.timeLimit(.minutes(20)))
struct ResourceInspectionTests {
  /// Two slots of everything, so that reading them is short.
  private static let board = TestBoard.metaMotionS.with(
    "0980000302 0a80000002 0c80000002 0f8000020200 0b800003020000fb030002")

  @Test func `all slots are told, with the names of their signals and whose they are`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(read: "resources")
    // Signals of loggers first: ranges, loggers, and the processors on their ways.
    try await session.link.expect(bytes("0383"), answer: bytes("0383a802"))
    try await session.link.expect(bytes("1383"), answer: bytes("13832800"))
    try await session.link.expect(bytes("1982"), answer: bytes("19820000"))
    try await session.link.expect(bytes("0b8200"), answer: bytes("0b8209030020"))
    try await session.link.expect(bytes("098200"), answer: bytes("09820304ffa007a500"))
    try await session.link.expect(bytes("0b8201"), answer: bytes("0b82"))
    for (question, answer) in [
      ("098200", "09820304ffa007a500"), ("098201", "0982"), ("0c8200", "0c8260ea0000ffff00"),
      ("0c8201", "0c82"), ("0a8200", "0a820c0600020101"), ("0a8201", "0a82110aff020101"),
      ("0a8300", "0a8301"),
      ("0a8301", "0a8301"), ("0f8200", "0f82000102"), ("0f8201", "0f82"),
    ] {
      try await session.link.expect(bytes(question), answer: bytes(answer))
    }
    func row(_ slot: Int64, _ signal: String?, _ hex: String) -> JSONValue {
      var row: JSONObject = ["slot": .integer(slot)]
      row["signal"] = signal.map { .string($0) }
      row["owner"] = "foreign"
      row["hex"] = .string(hex)
      return .object(row)
    }
    #expect(
      await outcome
        == .done(
          evidence: .response,
          data: [
            "loggers": [row(0, "acceleration:rms?id=0", "09030020")],
            "processors": [row(0, "acceleration:rms?id=0", "0304ffa007a500")],
            "timers": [row(0, "timer[0]", "60ea0000ffff00")],
            "events": [row(0, "timer[0]", "0c060002010101"), row(1, "disconnect", "110aff02010101")],
            "macros": [row(0, nil, "0102")],
          ]))
    try await session.link.expectNothing()
  }

  private static let counter = ["098200": "09820101ff0002130000"]

  private func answerSlots(_ session: DriverSession, _ onBoard: [String: String]) async throws {
    for register in ["0982", "0c82", "0a82"] {
      for slot in ["00", "01"] {
        try await session.link.expect(
          bytes(register + slot), answer: bytes(onBoard[register + slot] ?? register))
      }
    }
  }

  @Test func `what any processor keeps is read by its slot`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(read: "processor", ["processor": 0])
    try await answerSlots(session, Self.counter)
    try await session.link.expect(bytes("0383"), answer: bytes("0383a802"))
    try await session.link.expect(bytes("1383"), answer: bytes("13832800"))
    try await session.link.expect(bytes("098400"), answer: bytes("09840007000000"))
    #expect(await outcome == .done(evidence: .response, data: ["state": 7, "hex": "07000000"]))
  }

  @Test(
    arguments: [["processor": 1], ["name": "x"]] as [JSONObject])
  func `an empty slot and an unknown name are invalid`(selectors: JSONObject) async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(read: "processor", selectors)
    try await answerSlots(session, Self.counter)
    try await session.link.expect(bytes("0383"), answer: bytes("0383a802"))
    try await session.link.expect(bytes("1383"), answer: bytes("13832800"))
    guard case .failed(let failure) = await outcome else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .invalid)
  }

  @Test func `vectors stand under the fields of their chain`() {
    let vector = SampleLayout.numbers(Numbers(channels: 3, width: 2, isSigned: true, scale: 8_192, unit: .g))
    let bytes: [UInt8] = [0, 0x20, 0, 0xE0, 0, 0]
    #expect(
      ProcessorState(bytes, layout: vector, chain: "last").json
        == ["last_x_g": 1, "last_y_g": -1, "last_z_g": 0, "hex": "002000e00000"])
    #expect(ProcessorState(bytes, layout: nil, chain: nil).json == ["hex": "002000e00000"])
    #expect(ProcessorState([], layout: vector, chain: nil).json == ["hex": ""])
  }
}
