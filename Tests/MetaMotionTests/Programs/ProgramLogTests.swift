import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

/// Loggers as part of a board's program, over a scripted link.
@Suite(.timeLimit(.minutes(20)))
struct ProgramLogTests {
  /// A board with few slots, so that reading them is short: two of each, and three loggers.
  private static let board = TestBoard.metaMotionS.with(
    "0980000302 0a80000002 0c80000002 0f8000020200 0b800003030000fb030002")
  private static let acceleration: [String: StreamRequest] = [
    "acceleration": StreamRequest(name: "acceleration", configuration: ["range_g": 8])
  ]
  private static let accelerationHeld = ["0b8200": "0b820304ff60", "0b8201": "0b820304ff24"]

  /// Answers the reads of all slots: everything is empty but for what is given.
  private func answerSlots(_ session: DriverSession, _ onBoard: [String: String] = [:]) async throws {
    for register in ["0982", "0c82", "0a82"] {
      for slot in ["00", "01"] {
        try await session.link.expect(
          bytes(register + slot), answer: bytes(onBoard[register + slot] ?? register))
      }
    }
    for slot in ["0b8200", "0b8201", "0b8202"] {
      try await session.link.expect(bytes(slot), answer: bytes(onBoard[slot] ?? "0b82"))
    }
  }

  private func makeAcceleration(_ session: DriverSession) async throws -> ProgramApplied {
    async let applied = session.apply(BoardProgram(logs: Self.acceleration))
    try await answerSlots(session)
    try await session.link.expect(bytes("0b020304ff60"), answer: bytes("0b0200"))
    try await session.link.expect(bytes("0b8200"), answer: bytes("0b820304ff60"))
    try await session.link.expect(bytes("0b020304ff24"), answer: bytes("0b0201"))
    try await session.link.expect(bytes("0b8201"), answer: bytes("0b820304ff24"))
    let result = try await applied.get()
    try await session.link.expectNothing()
    return result
  }

  @Test func `a stream takes a logger per four bytes`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    let applied = try await makeAcceleration(session)
    #expect(applied.differences == ["log/acceleration added"])
    let logged = try #require(applied.logged.first)
    #expect(logged.name == "acceleration" && logged.slots == [0, 1] && logged.isOurs)
    #expect(applied.refusedLogs.isEmpty)
    #expect(await session.ownSlots["loggers"] == 2)
    // Nothing that is not known has to be asked for.
    let streams = try await session.log { (log) async throws(ProtocolFailure) in
      try await log.streams(anew: false)
    }
    .get()
    #expect(streams == applied.logged)
    try await session.link.expectNothing()
  }

  @Test(arguments: [false, true])
  func `what is there is not made again, by the next link, nor behind a reset`(isReset: Bool) async throws {
    let first = try await DriverSession.interviewed(Self.board)
    let made = try await makeAcceleration(first)
    let second = try await DriverSession.interviewed(Self.board)
    await second.recall(program: first.programMemory, isReset: isReset)
    async let applied = second.apply(BoardProgram(logs: Self.acceleration))
    try await answerSlots(second, Self.accelerationHeld)
    let result = try await applied.get()
    #expect(result.differences.isEmpty)
    #expect(result.logged == made.logged)
    #expect(await second.ownSlots["loggers"] == 2)
    try await second.link.expectNothing()
  }

  @Test func `what is no longer wanted goes and others stays`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    _ = try await makeAcceleration(session)
    async let applied = session.apply(BoardProgram())
    var onBoard = Self.accelerationHeld
    onBoard["0b8202"] = "0b821201ff60"
    try await answerSlots(session, onBoard)
    try await session.link.expect(each: ["0b0300", "0b0301"].map(bytes))
    for slot in ["0b8200", "0b8201"] { try await session.link.expect(bytes(slot), answer: bytes("0b82")) }
    #expect(try await applied.get().differences == ["log/acceleration removed"])
    try await session.link.expectNothing()
  }

  @Test func `F41 where loggers do not suffice nothing is made of it, and whose they are is told`()
    async throws
  {
    let session = try await DriverSession.interviewed(Self.board)
    let logs = Self.acceleration.merging(["switch": StreamRequest(name: "switch", configuration: [:])]) { $1 }
    async let applied = session.apply(BoardProgram(logs: logs))
    try await answerSlots(session, ["0b8200": "0b821201ff60", "0b8202": "0b821201ff60"])
    try await session.link.expect(bytes("0b020101ff00"), answer: bytes("0b0201"))
    try await session.link.expect(bytes("0b8201"), answer: bytes("0b820101ff00"))
    let result = try await applied.get()
    #expect(result.logged.map(\.name) == ["switch"])
    let failure = try #require(result.refusedLogs["acceleration"])
    #expect(failure.code == .noSlots)
    #expect(failure.data["owners"] == ["foreign", "foreign"])
    try await session.link.expectNothing()
  }

  @Test func `what cannot be logged leaves the rest`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    let logs = [
      "tap": StreamRequest(name: "tap", configuration: [:]),
      "switch": StreamRequest(name: "switch", configuration: [:]),
    ]
    async let applied = session.apply(BoardProgram(logs: logs))
    try await answerSlots(session)
    try await session.link.expect(bytes("0b020101ff00"), answer: bytes("0b0200"))
    try await session.link.expect(bytes("0b8200"), answer: bytes("0b820101ff00"))
    let result = try await applied.get()
    #expect(result.logged.map(\.name) == ["switch"])
    #expect(result.refusedLogs.mapValues(\.code) == ["tap": .unsupported])
    #expect(result.refused.isEmpty)
  }

  @Test func `a logger of a chain whose processors a reset took is made anew with them`()
    async throws
  {
    let program = BoardProgram(
      chains: ["presses": Chain(from: "switch", [ChainStep("counter", ["size": 4])], outputs: [.log])],
      logs: ["presses": StreamRequest(name: "presses", configuration: [:])])
    let first = try await DriverSession.interviewed(Self.board)
    async let made = first.apply(program)
    try await answerSlots(first)
    try await first.link.expect(bytes("09020101ff000213"), answer: bytes("090201"))
    try await first.link.expect(bytes("098201"), answer: bytes("09820101ff000213"))
    try await first.link.expect(bytes("0b0209030160"), answer: bytes("0b0202"))
    try await first.link.expect(bytes("0b8202"), answer: bytes("0b8209030160"))
    #expect(try await made.get().logged.first?.slots == [2])

    let second = try await DriverSession.interviewed(Self.board)
    await second.recall(program: first.programMemory, isReset: true)
    async let again = second.apply(program)
    try await answerSlots(second, ["0b8202": "0b8209030160"])
    try await second.link.expect(bytes("0b0302"))
    try await second.link.expect(bytes("0b8202"), answer: bytes("0b82"))
    try await second.link.expect(bytes("09020101ff000213"), answer: bytes("090200"))
    try await second.link.expect(bytes("098200"), answer: bytes("09820101ff000213"))
    try await second.link.expect(bytes("0b0209030060"), answer: bytes("0b0200"))
    try await second.link.expect(bytes("0b8200"), answer: bytes("0b8209030060"))
    #expect(try await again.get().logged.first?.slots == [0])
    try await second.link.expectNothing()
  }

  @Test func `our loggers are known by our names before the program is applied, behind a reset, too`()
    async throws
  {
    let first = try await DriverSession.interviewed(Self.board)
    _ = try await makeAcceleration(first)
    let second = try await DriverSession.interviewed(Self.board)
    await second.recall(program: first.programMemory, isReset: true)
    async let found = second.log { (log) async throws(ProtocolFailure) in try await log.streams(anew: false) }
    for (question, answer) in [
      ("0383", "0383a802"), ("1383", "13832802"), ("1982", "19820013"), ("0b8200", "0b820304ff60"),
      ("0b8201", "0b820304ff24"), ("0b8202", "0b820304ff60"),
    ] { try await second.link.expect(bytes(question), answer: bytes(answer)) }
    let streams = try await found.get()
    #expect(streams.map(\.isOurs) == [true, false])
    #expect(streams.map(\.slots) == [[0, 1], [2]])
    #expect(streams[0].name == "acceleration")
  }

  @Test func `what others log is found by its canonical name`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let found = session.log { (log) async throws(ProtocolFailure) in try await log.streams(anew: false)
    }
    for (question, answer) in [
      ("0383", "0383a802"), ("1383", "13832802"), ("1982", "19820013"), ("0b8200", "0b820304ff60"),
      ("0b8201", "0b820304ff24"), ("0b8202", "0b8204c10020"),
    ] { try await session.link.expect(bytes(question), answer: bytes(answer)) }
    let streams = try await found.get()
    #expect(streams.map(\.name) == ["acceleration", "temperature[0]"])
    #expect(streams.map(\.slots) == [[0, 1], [2]])
    #expect(streams.allSatisfy { !$0.isOurs })
    #expect(streams[0].fields.map(\.name) == ["ax_g", "ay_g", "az_g"])
    #expect(streams[1].fields.map(\.name) == ["temperature_0_c"])
    #expect(SampleLayout(encoded: streams[0].layout)?.numbers?.scale == 4096)
  }
}
