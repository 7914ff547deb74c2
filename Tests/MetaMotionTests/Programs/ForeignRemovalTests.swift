import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

/// What others left on a board goes where that is asked for (MQTT contract 3.7).
@Suite(.timeLimit(.minutes(20))) struct ForeignRemovalTests {
  /// Two slots of each kind.
  private static let board = TestBoard.metaMotionS.with("0980000302 0a80000002 0c80000002 0f8000020200")

  /// Answers the reads of all slots: everything is empty but for what is given.
  private func answerSlots(_ session: DriverSession, _ onBoard: [String: String]) async throws {
    for register in ["0982", "0c82", "0a82"] {
      for slot in ["00", "01"] {
        try await session.link.expect(
          bytes(register + slot), answer: bytes(onBoard[register + slot] ?? register))
      }
    }
    for slot in ["00", "01"] where onBoard["0a82" + slot] != nil {
      try await session.link.expect(bytes("0a83" + slot), answer: bytes("0a8301"))
    }
  }

  @Test func `where nothing of ours stays one packet takes all, and each slot is seen to be empty`()
    async throws
  {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.removeEvent(.all(includingForeign: true))))
    let onBoard = ["0a8200": "0a820101ff020101", "0a8201": "0a82110aff020101"]
    try await answerSlots(session, onBoard)
    try await answerSlots(session, onBoard)
    try await session.link.expect(bytes("0a05"))
    try await session.link.expect(bytes("0a8200"), answer: bytes("0a82"))
    try await session.link.expect(bytes("0a8201"), answer: bytes("0a82"))
    #expect(
      await outcome == .done(evidence: .readback, data: ["removed": ["event/0", "event/1"]]))
  }

  @Test func `processors alone are named by their numbers, with others every slot by its kind`() {
    let processor = ProgramPlan.Removal(key: .processor("press", 0), slot: 2)
    #expect(ProgramVerbs.words([processor]) == [2])
    #expect(
      ProgramVerbs.words([
        .init(key: .event("press", 0), slot: 1), processor, .init(key: .timer("minute"), slot: 0),
        .init(key: .timer(""), slot: 3),
      ]) == ["event/1", "processor/2", "timer/minute", "timer/3"])
  }

  @Test func `without foreign what others made stays`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.removeEvent(.all(includingForeign: false))))
    try await answerSlots(session, ["0a8200": "0a820101ff020101"])
    #expect(await outcome == .done(evidence: .linkWrite, data: ["removed": []]))
    try await session.link.expectNothing()
  }

  @Test func `a timer of others takes the events along that wait for it`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.removeTimer(.slot(0))))
    try await answerSlots(
      session, ["0c8200": "0c8260ea0000ffff00", "0a8200": "0a820c0600020101", "0a8201": "0a820101ff020101"])
    try await session.link.expect(each: [bytes("0a0400"), bytes("0c0500")])
    try await session.link.expect(bytes("0a8200"), answer: bytes("0a82"))
    try await session.link.expect(bytes("0c8200"), answer: bytes("0c82"))
    #expect(await outcome == .done(evidence: .readback, data: ["removed": ["event/0", "timer/0"]]))
  }

  @Test func `all timers of others take the events along that wait for them`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.removeTimer(.all(includingForeign: true))))
    let onBoard = [
      "0c8200": "0c8260ea0000ffff00", "0c8201": "0c8270170000ffff00", "0a8200": "0a820c0601020101",
      "0a8201": "0a820101ff020101",
    ]
    try await answerSlots(session, onBoard)
    try await answerSlots(session, onBoard)
    try await session.link.expect(each: [bytes("0a0400"), bytes("0c0500"), bytes("0c0501")])
    try await session.link.expect(bytes("0a8200"), answer: bytes("0a82"))
    try await session.link.expect(bytes("0c8200"), answer: bytes("0c82"))
    try await session.link.expect(bytes("0c8201"), answer: bytes("0c82"))
    #expect(
      await outcome == .done(evidence: .readback, data: ["removed": ["event/0", "timer/0", "timer/1"]]))
  }

  @Test(
    arguments: [(["timer/0"], nil), (["timer/0", "event/4"], ["event/4"]), (["event/4"], ["event/4"])]
      as [([String], [String]?)])
  func `what was removed is not left`(before: [String], after: [String]?) {
    let left = ForeignRemoval.left(
      .array(before.map { .string($0) }), without: [ProgramPlan.Removal(key: .timer(""), slot: 0)])
    #expect(left == after.map { .array($0.map { .string($0) }) })
  }

  @Test func `consumers go before what they consume, and what ours builds on stays`() {
    var onBoard = BoardResources()
    let dialect = ProcessorDialect(revision: 3, firmware: FirmwareVersion(1, 7, 3))
    onBoard.processors[0] = ProcessorDefinition(bytes("09820304ffa007a500"), on: dialect)
    onBoard.processors[1] = ProcessorDefinition(bytes("0982090300200207"), on: dialect)
    #expect(ForeignRemoval.order([0, 1], .processors, in: onBoard) == [1, 0])
    #expect(ForeignRemoval.order([0], .processors, in: onBoard) == [])
    #expect(ForeignRemoval.order([1, 0], .events, in: onBoard) == [0, 1])
  }
}
