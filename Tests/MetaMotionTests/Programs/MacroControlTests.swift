import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite(.timeLimit(.minutes(20)))
struct MacroControlTests {
  private static let board = TestBoard.metaMotionS.with("0f80000202")
  private static let actions = [BoardAction(.led(.off)), BoardAction(.led(.play))]

  private func answerSlots(_ session: DriverSession, _ onBoard: [String] = ["0f8200", "0f8201"]) async throws
  {
    for slot in 0..<2 {
      try await session.link.expect(bytes("0f820\(slot)"), answer: bytes(onBoard[slot]))
    }
  }

  /// From now on, whoever writes although nothing is to be written fails at once, instead of waiting for an answer.
  private func expectNoMore(_ session: DriverSession) async {
    await session.link.failWrites(because: LinkFailure(.linkLost, "nothing more was to be written"))
  }

  private func leaveSlotsUnanswered(_ session: DriverSession) async throws {
    for slot in 0..<2 {
      try await session.link.expect(bytes("0f820\(slot)"))
      await session.advance(by: .seconds(1))
    }
  }

  private func store(_ session: DriverSession, boot: Int, slot: Int) async throws {
    try await session.link.expect(bytes("0f020\(boot)"), answer: bytes("0f020\(slot)"))
    try await session.link.expect(each: [bytes("0f03020201"), bytes("0f03020101"), bytes("0f04")])
    try await session.link.expect(bytes("0f830\(slot)00"), answer: bytes("0f83020201"))
    try await session.link.expect(bytes("0f830\(slot)01"), answer: bytes("0f83020101"))
  }

  private func recorded(_ board: TestBoard = Self.board) async throws -> DriverSession {
    let session = try await DriverSession.interviewed(board)
    async let outcome = session.perform(
      .program(.recordMacro("hello", Self.actions, isRunAtBoot: false)))
    try await answerSlots(session)
    try await store(session, boot: 0, slot: 0)
    #expect(
      await outcome == .done(evidence: .readback, data: ["slot": 0, "packets": 2, "verified": true]))
    return session
  }

  @Test func `a macro is stored and read back with responses`() async throws {
    let session = try await recorded()
    let kinds = await session.link.written.suffix(6).map(\.kind)
    #expect(kinds.allSatisfy { $0 == .request })
  }

  @Test(arguments: [true, false])
  func `a macro says when it has finished, or not`(isTold: Bool) async throws {
    let session = try await recorded()
    async let outcome = session.perform(.program(.runMacro("hello")))
    try await session.link.expect(bytes("0f060001"))
    if isTold {
      try await session.link.expect(bytes("0f0500"), answer: bytes("0f0700"))
    } else {
      try await session.link.expect(bytes("0f0500"))
      await session.advance(by: .seconds(5))
    }
    #expect(await outcome == .done(evidence: isTold ? .response : .writeAcknowledged, data: ["slot": 0]))
  }

  /// Answers the reads of the two commands that slot 0 holds.
  private func answerCommands(_ session: DriverSession, _ onBoard: [String] = ["020201", "020101"])
    async throws
  {
    for (place, command) in onBoard.enumerated() {
      try await session.link.expect(bytes("0f83000\(place)"), answer: bytes("0f83\(command)"))
    }
  }

  /// What the actions do once, before they are recorded.
  private static let trial = [bytes("020201"), bytes("020101")]

  @Test
  func `F49 what runs at start is done once, and recorded in one slot only behind a sign of life`()
    async throws
  {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.recordMacro("hello", Self.actions, isRunAtBoot: true)))
    try await answerSlots(session)
    try await session.link.expect(bytes("118c"), answer: bytes("118c633410"))
    try await session.link.expect(each: Self.trial)
    try await session.link.expect(bytes("0b84"), answer: TestBoard.metaMotionS.clock)
    try await store(session, boot: 1, slot: 0)
    #expect(
      await outcome == .done(evidence: .readback, data: ["slot": 0, "packets": 2, "verified": true]))
    async let erased = session.perform(.program(.eraseMacros(includingForeign: false)))
    try await answerSlots(session, ["0f82000102", "0f8201"])
    try await answerCommands(session)
    try await session.link.expect(each: [bytes("0f08"), bytes("fe06")])
    await session.link.end(because: LinkFailure(.closed, "the board left"))
    #expect(await erased == .done(evidence: .writeAcknowledged, data: ["erased": 1]))
  }

  @Test func `F49 what falls silent when it is tried is not recorded`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.recordMacro("hello", Self.actions, isRunAtBoot: true)))
    try await answerSlots(session)
    try await session.link.expect(bytes("118c"), answer: bytes("118c633410"))
    try await session.link.expect(each: Self.trial)
    try await session.link.expect(bytes("0b84"))
    await expectNoMore(session)
    await session.advance(by: .seconds(5))
    #expect(await code(outcome) == .boardError)
    try await session.link.expectNothing()
    #expect(ProgramMemory(await session.programMemory).macros.isEmpty)
  }

  /// A session that records for the start, beside what `stored` says, and whose first command reads back otherwise.
  private func misread(_ session: DriverSession, _ stored: [String], slot: Int) async throws {
    try await answerSlots(session, stored)
    try await session.link.expect(bytes("118c"), answer: bytes("118c633410"))
    try await session.link.expect(each: Self.trial)
    try await session.link.expect(bytes("0b84"), answer: TestBoard.metaMotionS.clock)
    try await session.link.expect(bytes("0f0201"), answer: bytes("0f020\(slot)"))
    try await session.link.expect(each: [bytes("0f03020201"), bytes("0f03020101"), bytes("0f04")])
    try await session.link.expect(bytes("0f830\(slot)00"), answer: bytes("0f83020200"))
    try await session.link.expect(bytes("0f830\(slot)01"))
  }

  @Test func `F49 what reads back otherwise is erased before it can run`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.recordMacro("hello", Self.actions, isRunAtBoot: true)))
    try await misread(session, ["0f8200", "0f8201"], slot: 0)
    await session.link.answer(bytes("0f83020101"))
    try await session.link.expect(each: [bytes("0f08"), bytes("fe06")])
    await session.link.end(because: LinkFailure(.closed, "the board left"))
    guard case .failed(let failure) = await outcome else {
      Issue.record("it was recorded")
      return
    }
    #expect(failure.code == .boardError && failure.message.contains("it was erased again"))
    #expect(await session.isLeaving, "the end of the link counts as a loss")
    #expect(ProgramMemory(await session.programMemory).macros.isEmpty)
  }

  @Test func `beside other macros what reads back otherwise is left to the operator`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.recordMacro("hello", Self.actions, isRunAtBoot: true)))
    try await misread(session, ["0f82000002", "0f8201"], slot: 1)
    await expectNoMore(session)
    await session.link.answer(bytes("0f83020101"))
    guard case .failed(let failure) = await outcome else {
      Issue.record("it was recorded")
      return
    }
    #expect(failure.code == .boardError && failure.message.contains("erase the macros before"))
  }

  @Test(
    arguments: [
      .reset, .sleep, .raw([0xFE, 0x02]), .raw([0xFE, 0x05]), .raw([0xFE, 0x08]), .raw([0xFE, 0x07]),
    ] as [BoardAction.Command])
  func `F49 what would keep the board from starting is never recorded for its start`(
    command: BoardAction.Command
  ) async throws {
    let session = try await DriverSession.interviewed(Self.board)
    let actions = Self.actions + [BoardAction(command)]
    await expectNoMore(session)
    let outcome = await session.perform(.program(.recordMacro("hello", actions, isRunAtBoot: true)))
    #expect(code(outcome) == .invalid)
    try await session.link.expectNothing()
  }

  @Test func `an empty battery is not trusted`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.recordMacro("hello", Self.actions, isRunAtBoot: true)))
    try await answerSlots(session)
    try await session.link.expect(bytes("118c"))
    await expectNoMore(session)
    await session.link.answer(bytes("118c1d340e"))
    #expect(await code(outcome) == .lowBattery)
    try await session.link.expectNothing()
  }

  @Test func `others macros are listed and not erased`() async throws {
    let session = try await recorded()
    async let list = session.perform(.program(.listMacros))
    try await answerSlots(session, ["0f82000002", "0f82010105"])
    try await answerCommands(session)
    #expect(
      await list
        == .done(
          evidence: .response,
          data: [
            "macros": [
              ["slot": 0, "name": "hello", "at_boot": false, "packets": 2, "owner": "ours"],
              ["slot": 1, "at_boot": true, "packets": 5, "owner": "foreign"],
            ]
          ]))
    async let erased = session.perform(.program(.eraseMacros(includingForeign: false)))
    try await answerSlots(session, ["0f82000002", "0f82010105"])
    try await answerCommands(session)
    #expect(await code(erased) == .invalid)
    try await session.link.expectNothing()
  }

  @Test func `erasing ends the link`() async throws {
    let session = try await recorded()
    async let outcome = session.perform(.program(.eraseMacros(includingForeign: true)))
    try await answerSlots(session, ["0f82000002", "0f82010105"])
    try await answerCommands(session)
    try await session.link.expect(each: [bytes("0f08"), bytes("fe06")])
    await session.link.end(because: LinkFailure(.closed, "the board left"))
    #expect(await outcome == .done(evidence: .writeAcknowledged, data: ["erased": 2]))
  }

  @Test func `a full memory is said before anything is written`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.recordMacro("a", Self.actions, isRunAtBoot: false)))
    try await answerSlots(session, ["0f82000002", "0f82010105"])
    #expect(await code(outcome) == .noSlots)
    try await session.link.expectNothing()
  }

  @Test func `another command than written is the boards fault`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.recordMacro("a", Self.actions, isRunAtBoot: false)))
    try await answerSlots(session)
    try await session.link.expect(bytes("0f0200"), answer: bytes("0f0200"))
    try await session.link.expect(each: [bytes("0f03020201"), bytes("0f03020101"), bytes("0f04")])
    try await answerCommands(session, ["020200", "020101"])
    #expect(await code(outcome) == .boardError)
  }

  @Test func `the same again is not recorded again, another under its name neither (MQTT contract 3.7)`()
    async throws
  {
    let session = try await recorded()
    async let same = session.perform(.program(.recordMacro("hello", Self.actions, isRunAtBoot: false)))
    try await answerSlots(session, ["0f82000002", "0f8201"])
    try await answerCommands(session)
    #expect(await same == .done(evidence: .readback, data: ["slot": 0, "packets": 2, "verified": true]))
    for (actions, isRunAtBoot) in [(Self.actions, true), (Array(Self.actions.prefix(1)), false)] {
      async let other = session.perform(
        .program(.recordMacro("hello", actions, isRunAtBoot: isRunAtBoot)))
      try await answerSlots(session, ["0f82000002", "0f8201"])
      try await answerCommands(session)
      #expect(await code(other) == .invalid)
    }
    try await session.link.expectNothing()
  }

  @Test func `what is recorded for the start takes its own slots when it is asked for again`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    let presses = BoardAction(
      .createChain("presses", Chain(from: "switch", [ChainStep("counter", ["size": 1])], outputs: [])))
    let command = DeviceIntent.program(.recordMacro("count", [presses], isRunAtBoot: true))
    async let first = session.perform(command)
    try await answerSlots(session)
    try await session.link.expect(bytes("118c"), answer: bytes("118c633410"))
    try await session.link.expect(bytes("0b84"), answer: TestBoard.metaMotionS.clock)
    try await session.link.expect(bytes("0f0201"), answer: bytes("0f0200"))
    try await session.link.expect(each: [bytes("0f0309020101ff000210"), bytes("0f04")])
    try await answerCommands(session, ["09020101ff000210"])
    let recorded = CommandOutcome.done(
      evidence: .readback, data: ["slot": 0, "packets": 1, "verified": true])
    #expect(await first == recorded)
    async let again = session.perform(command)
    try await answerSlots(session, ["0f82000101", "0f8201"])
    try await answerCommands(session, ["09020101ff000210"])
    #expect(await again == recorded)
    try await session.link.expectNothing()
  }

  @Test func `F49 a macro of ours that resets is not run at a start either`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let made = session.perform(
      .program(.recordMacro("again", [BoardAction(.reset)], isRunAtBoot: false)))
    try await answerSlots(session)
    try await session.link.expect(bytes("0f0200"), answer: bytes("0f0200"))
    try await session.link.expect(each: [bytes("0f03fe01"), bytes("0f04")])
    try await answerCommands(session, ["fe01"])
    _ = await made
    await expectNoMore(session)
    let timer = BoardProgram.Timer(periodMilliseconds: 1_000, actions: [BoardAction(.macro("again"))])
    let outcome = await session.perform(
      .program(.recordMacro("trap", [BoardAction(.createTimer("t", timer))], isRunAtBoot: true)))
    guard case .failed(let failure) = outcome else {
      Issue.record("it was recorded")
      return
    }
    #expect(failure.code == .invalid && failure.message.contains("resets at every start"))
    try await session.link.expectNothing()
  }

  @Test func `what a macro put into slots is looked for behind its run`() async throws {
    let session = try await recorded(
      TestBoard.metaMotionS.with("0980000302 0a80000002 0c80000002 0f80000202"))
    for isFirst in [true, false] {
      async let removed = session.perform(.program(.removeEvent(.slot(0))))
      for register in ["0982", "0c82", "0a82"] {
        for slot in ["00", "01"] {
          try await session.link.expect(bytes(register + slot), answer: bytes(register))
        }
      }
      #expect(await code(removed) == .invalid)
      guard isFirst else { break }
      async let outcome = session.perform(.program(.runMacro("hello")))
      try await session.link.expect(bytes("0f060001"))
      try await session.link.expect(bytes("0f0500"), answer: bytes("0f0700"))
      _ = await outcome
    }
  }

  private static let replaced: [(slots: [String], commands: [String])] = [
    // Nothing is there any more; it runs at start now; it does something else.
    (["0f8200", "0f8201"], []), (["0f82000102", "0f8201"], []),
    (["0f82000002", "0f8201"], ["020200", "020101"]),
  ]

  @Test(arguments: replaced)
  func `what others erased or replaced is no longer ours, and not run by our name`(
    slots: [String], commands: [String]
  ) async throws {
    let recorded = try await recorded()
    let session = try await DriverSession.interviewed(Self.board)
    await session.recall(program: await recorded.programMemory)
    async let applied = session.apply(BoardProgram())
    try await answerSlots(session, slots)
    try await answerCommands(session, commands)
    _ = try await applied.get()
    #expect(await session.programMemory.isEmpty)
    await expectNoMore(session)
    let run = await session.perform(.program(.runMacro("hello")))
    guard case .failed(let failure) = run else {
      Issue.record("\(run)")
      return
    }
    #expect(failure.code == .invalid && failure.message.contains("erased or replaced"))
    try await session.link.expectNothing()
  }

  @Test(
    arguments: [false, true])
  func `what is still there is run by its name on the next link, after a reset, too`(isReset: Bool)
    async throws
  {
    let recorded = try await recorded()
    let session = try await DriverSession.interviewed(Self.board)
    await session.recall(program: await recorded.programMemory, isReset: isReset)
    async let applied = session.apply(BoardProgram())
    try await answerSlots(session, ["0f82000002", "0f8201"])
    try await answerCommands(session)
    _ = try await applied.get()
    async let outcome = session.perform(.program(.runMacro("hello")))
    try await session.link.expect(bytes("0f060001"))
    try await session.link.expect(bytes("0f0500"), answer: bytes("0f0700"))
    #expect(await outcome == .done(evidence: .response, data: ["slot": 0]))
  }

  @Test func `behind another firmware nothing is ours any more, and nothing is asked for`() async throws {
    let recorded = try await recorded()
    var board = Self.board
    board.firmware = "1.7.4"
    let session = try await DriverSession.interviewed(board)
    await session.recall(program: await recorded.programMemory)
    await expectNoMore(session)
    _ = try await session.apply(BoardProgram()).get()
    #expect(await session.programMemory.isEmpty)
    try await session.link.expectNothing()
  }

  @Test
  func
    `of a board that tells nothing of its macros, what we remember is listed as just that (protocol reference, section 19)`()
    async throws
  {
    let session = try await DriverSession.interviewed(Self.board)
    async let made = session.perform(.program(.recordMacro("hello", Self.actions, isRunAtBoot: false)))
    try await leaveSlotsUnanswered(session)
    try await session.link.expect(bytes("0f0200"), answer: bytes("0f0200"))
    try await session.link.expect(each: [bytes("0f03020201"), bytes("0f03020101"), bytes("0f04")])
    try await session.link.expect(bytes("0f830000"))
    await session.advance(by: .seconds(1))
    #expect(
      await made
        == .done(evidence: .writeAcknowledged, data: ["slot": 0, "packets": 2, "verified": false]))
    async let list = session.perform(.program(.listMacros))
    try await leaveSlotsUnanswered(session)
    #expect(
      await list
        == .done(
          evidence: nil,
          data: [
            "macros": [["slot": 0, "name": "hello", "at_boot": false, "packets": 2, "owner": "ours"]],
            "source": "memory",
          ]))
  }

  @Test func `the silence of a board that once told of its macros means that there are none (trap T14)`()
    async throws
  {
    let session = try await recorded()
    async let list = session.perform(.program(.listMacros))
    try await leaveSlotsUnanswered(session)
    #expect(await list == .done(evidence: .response, data: ["macros": []]))
  }

  private func code(_ outcome: CommandOutcome) -> CommandFailure.Code? {
    if case .failed(let failure) = outcome { failure.code } else { nil }
  }
}
