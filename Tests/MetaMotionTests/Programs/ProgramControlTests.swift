import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite(.timeLimit(.minutes(20)))
struct ProgramControlTests {
  /// A board with few slots, so that reading them is short: two of each.
  private static let board = TestBoard.metaMotionS.with("0980000302 0a80000002 0c80000002 0f8000020200")

  /// Answers the reads of all slots: everything is empty but for what is given.
  private func answerSlots(
    _ session: DriverSession, _ onBoard: [String: String] = [:]
  ) async throws {
    for register in ["0982", "0c82", "0a82"] {
      for slot in ["00", "01"] {
        try await session.link.expect(
          bytes(register + slot), answer: bytes(onBoard[register + slot] ?? register))
      }
    }
  }

  private static let minute = BoardProgram.Timer(
    periodMilliseconds: 60_000, actions: [BoardAction(.led(.play))])

  /// A session that has made the timer `minute` in slot 1.
  private func withTimer() async throws -> DriverSession {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.createTimer("minute", Self.minute, declared: [:])))
    try await answerSlots(session)
    try await session.link.expect(bytes("0c0260ea0000ffff00"), answer: bytes("0c0201"))
    try await session.link.expect(bytes("0a020c0601020101"), answer: bytes("0a0200"))
    try await session.link.expect(each: [bytes("0a0301"), bytes("0c0301")])
    #expect(await outcome == .done(evidence: .response, data: ["slot": 1, "event_slots": [0]]))
    try await session.link.expectNothing()
    return session
  }

  @Test func `a timer is made bound and started`() async throws { _ = try await withTimer() }

  @Test func `the slot of an event may come before its parameters or behind (trap T19)`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    let event = BoardProgram.Event(.button(isPressed: nil), [BoardAction(.led(.play))])
    async let outcome = session.perform(.program(.bindEvent("light", event, declared: [:])))
    try await answerSlots(session)
    try await session.link.expect(bytes("0a020101ff020101"))
    try await session.link.expect(bytes("0a0301"), answer: bytes("0a0203"))
    #expect(await outcome == .done(evidence: .response, data: ["event_slots": [3], "processors": []]))
  }

  @Test func `timers are started and stopped by name`() async throws {
    let session = try await withTimer()
    async let stopped = session.perform(.program(.stopTimer("minute")))
    try await session.link.expect(bytes("0c0401"))
    #expect(await stopped == .done(evidence: .linkWrite, data: ["slot": 1]))
    #expect(await code(session.perform(.program(.startTimer("hour")))) == .invalid)
    try await session.link.expectNothing()
  }

  @Test func `the same again is not written again`() async throws {
    let session = try await withTimer()
    async let outcome = session.perform(.program(.createTimer("minute", Self.minute, declared: [:])))
    try await answerSlots(session, ["0c8201": "0c8260ea0000ffff00", "0a8200": "0a820c0601020101"])
    try await session.link.expect(bytes("0a8300"), answer: bytes("0a8301"))
    #expect(await outcome == .done(evidence: .response, data: ["slot": 1, "event_slots": [0]]))
    try await session.link.expectNothing()
    var other = Self.minute
    other.periodMilliseconds = 1
    #expect(await code(session.perform(.program(.createTimer("minute", other, declared: [:])))) == .invalid)
  }

  @Test func `a timer goes with its events and is seen to be gone`() async throws {
    let session = try await withTimer()
    async let outcome = session.perform(.program(.removeTimer(.name("minute"))))
    try await answerSlots(session, ["0c8201": "0c8260ea0000ffff00", "0a8200": "0a820c0601020101"])
    try await session.link.expect(bytes("0a8300"), answer: bytes("0a8301"))
    try await session.link.expect(each: [bytes("0a0400"), bytes("0c0501")])
    try await session.link.expect(bytes("0a8200"), answer: bytes("0a82"))
    try await session.link.expect(bytes("0c8201"), answer: bytes("0c82"))
    #expect(
      await outcome == .done(evidence: .readback, data: ["removed": ["event/0", "timer/minute"]]))
  }

  /// A session that has made the counter `presses` in slot 0.
  private func withCounter() async throws -> DriverSession {
    let session = try await DriverSession.interviewed(Self.board)
    let chain = Chain(from: "switch", [ChainStep("counter", ["size": 4])])
    async let made = session.perform(.program(.createChain("presses", chain, declared: [:])))
    try await answerSlots(session)
    try await session.link.expect(bytes("09020101ff000213"), answer: bytes("090200"))
    try await session.link.expect(bytes("098200"), answer: bytes("09820101ff0002130000"))
    #expect(
      await made
        == .done(
          evidence: .readback,
          data: [
            "stream": "presses", "processors": [0],
            "fields": [["name": "presses", "unit": "", "type": "integer"]], "unit": "",
          ]))
    return session
  }

  private static let set = ProgramCommand.changeProcessor(ProcessorChange(chain: "presses", .state(7)))

  @Test func `F295 a counter that counted on before it was read is set, without that proof`() async throws {
    let session = try await withCounter()
    async let set = session.perform(.program(Self.set))
    try await session.link.expect(bytes("09040007000000"))
    try await session.link.expect(bytes("098400"), answer: bytes("09840009000000"))
    #expect(await set == .done(evidence: .linkWrite, data: ["processor": 0]))
  }

  @Test func `F295 a switch in a chain that keeps another state than was written is an error`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    let gate = Chain(
      from: "switch", [ChainStep("passthrough", ["mode": "conditional", "count": 0])], outputs: [])
    async let made = session.perform(.program(.createChain("gate", gate, declared: [:])))
    try await answerSlots(session)
    try await session.link.expect(bytes("09020101ff0001010000"), answer: bytes("090200"))
    try await session.link.expect(bytes("098200"), answer: bytes("09820101ff0001010000"))
    _ = await made
    let open = ProgramCommand.changeProcessor(ProcessorChange(chain: "gate", .state(1)))
    async let set = session.perform(.program(open))
    try await session.link.expect(bytes("0904000100"))
    try await session.link.expect(bytes("098400"), answer: bytes("0984000000"))
    let outcome = await set
    #expect(code(outcome) == .boardError)
  }

  @Test func `a chain is read back and changed`() async throws {
    let session = try await withCounter()
    async let set = session.perform(.program(Self.set))
    try await session.link.expect(bytes("09040007000000"))
    try await session.link.expect(bytes("098400"), answer: bytes("09840007000000"))
    #expect(await set == .done(evidence: .readback, data: ["processor": 0]))
    async let other = session.perform(
      .program(.changeProcessor(ProcessorChange(chain: "presses", .parameters(["size": 1])))))
    try await session.link.expect(bytes("0905000210"))
    #expect(await other == .done(evidence: .linkWrite, data: ["processor": 0]))
    // The board does what was changed, so what was changed is what is wanted.
    let changed = Chain(from: "switch", [ChainStep("counter", ["size": 1])])
    async let again = session.perform(.program(.createChain("presses", changed, declared: [:])))
    try await answerSlots(session, ["098200": "09820101ff00021000"])
    guard case .done = await again else {
      Issue.record("not the same")
      return
    }
    try await session.link.expectNothing()
  }

  @Test func `another processor than written is the boards fault`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    let chain = Chain(from: "switch", [ChainStep("counter", ["size": 4])])
    async let made = session.perform(.program(.createChain("presses", chain, declared: [:])))
    try await answerSlots(session)
    try await session.link.expect(bytes("09020101ff000213"), answer: bytes("090200"))
    try await session.link.expect(bytes("098200"), answer: bytes("09820101ff000210"))
    #expect(await code(made) == .boardError)
  }

  @Test func `too few slots are said before anything is written`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.createTimer("minute", Self.minute, declared: [:])))
    try await answerSlots(session, ["0c8200": "0c820100000001000" + "0", "0c8201": "0c8202000000010000"])
    #expect(await code(outcome) == .noSlots)
    try await session.link.expectNothing()
  }

  @Test func `others processors are listed and left alone`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.listProcessors))
    let onBoard = ["098200": "09820304ffa007a500", "098201": "09820903002002" + "07"]
    try await answerSlots(session, onBoard)
    #expect(
      await outcome
        == .done(
          evidence: .response,
          data: [
            "processors": [
              ["slot": 0, "type": "rms", "from": "acceleration", "owner": "foreign", "hex": "a500"],
              [
                "slot": 1, "type": "accumulate", "from": "acceleration:rms?id=0", "owner": "foreign",
                "hex": "07",
              ],
            ]
          ]))
    #expect(await code(session.perform(.program(.removeChain(.slot(0))))) == .invalid)
    async let removed = session.perform(.program(.removeChain(.slot(1))))
    try await session.link.expect(bytes("090601"))
    try await session.link.expect(bytes("098201"), answer: bytes("0982"))
    #expect(await removed == .done(evidence: .readback, data: ["removed": [1]]))
  }

  @Test func `silence of empty slots is not waited out slot by slot (trap T14)`() async throws {
    let session = try await DriverSession.interviewed(TestBoard.metaMotionS)
    async let outcome = session.perform(.program(.listProcessors))
    for register in ["0982", "0c82", "0a82"] {
      for slot in ["00", "01"] {
        try await session.link.expect(bytes(register + slot))
        await session.advance(by: .seconds(1))
      }
    }
    #expect(await outcome == .done(evidence: .response, data: ["processors": []]))
  }

  /// Leaves the reads of all slots unanswered; `isAll`: whoever writes anything behind them fails at once.
  private func leaveSlotsUnanswered(_ session: DriverSession, isAll: Bool = false) async throws {
    for register in ["0982", "0c82", "0a82"] {
      for slot in ["00", "01"] {
        try await session.link.expect(bytes(register + slot))
        if isAll, register + slot == "0a8201" {
          await session.link.failWrites(because: LinkFailure(.linkLost, "nothing was to be written"))
        }
        await session.advance(by: .seconds(1))
      }
    }
  }

  private func expectTimer(_ session: DriverSession) async throws {
    try await session.link.expect(bytes("0c0260ea0000ffff00"), answer: bytes("0c0201"))
    try await session.link.expect(bytes("0a020c0601020101"), answer: bytes("0a0200"))
    try await session.link.expect(each: [bytes("0a0301"), bytes("0c0301")])
  }

  @Test(
    arguments: [false, true])
  func `a board that never tells is taken to hold what we put there, until it is reset`(isReset: Bool)
    async throws
  {
    let first = try await DriverSession.interviewed(Self.board)
    async let made = first.perform(.program(.createTimer("minute", Self.minute, declared: [:])))
    try await leaveSlotsUnanswered(first)
    try await expectTimer(first)
    #expect(await made == .done(evidence: .response, data: ["slot": 1, "event_slots": [0]]))

    let session = try await DriverSession.interviewed(Self.board)
    await session.recall(program: await first.programMemory, isReset: isReset)
    async let applied = session.apply(BoardProgram(timers: ["minute": Self.minute]))
    try await leaveSlotsUnanswered(session, isAll: !isReset)
    if isReset { try await expectTimer(session) }
    #expect(try await applied.get().refused.isEmpty)
    guard !isReset else { return try await session.link.expectNothing() }
    await session.link.failWrites(because: nil)
    #expect(await session.programMemory == first.programMemory)
    // What is no longer wanted goes from the slots we remember.
    async let removed = session.apply(BoardProgram())
    try await leaveSlotsUnanswered(session)
    try await session.link.expect(each: [bytes("0a0400"), bytes("0c0501")])
    for question in ["0a8200", "0c8201"] {
      try await session.link.expect(bytes(question))
      await session.advance(by: .seconds(1))
    }
    #expect(try await removed.get().differences == ["timers/minute removed"])
    try await session.link.expectNothing()
  }

  @Test func `the silence of a board that once told of its slots means that they are empty (trap T14)`()
    async throws
  {
    let first = try await withTimer()
    let session = try await DriverSession.interviewed(Self.board)
    await session.recall(program: await first.programMemory)
    async let applied = session.apply(BoardProgram(timers: ["minute": Self.minute]))
    try await leaveSlotsUnanswered(session)
    try await expectTimer(session)
    #expect(try await applied.get().differences == ["timers/minute added"])
  }

  @Test func `F28 no slot leaves open what was done`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(
      .program(.createTimer("t", BoardProgram.Timer(periodMilliseconds: 1), declared: [:])))
    try await answerSlots(session)
    try await session.link.expect(bytes("0c0201000000ffff00"))
    await session.advance(by: .seconds(5))
    for question in ["0c8200", "0c8201"] {
      try await session.link.expect(bytes(question))
      await session.advance(by: .seconds(1))
    }
    guard case .unknown = await outcome else {
      Issue.record("not unknown")
      return
    }
  }

  @Test(
    arguments: [("0c8201000000ffff00", true), ("0c82", false), ("0c8202000000ffff00", false)])
  func `F121 a creation that nobody answered is looked for: there, not there`(slot: String, isThere: Bool)
    async throws
  {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(
      .program(.createTimer("t", BoardProgram.Timer(periodMilliseconds: 1, isStarted: false), declared: [:])))
    try await answerSlots(session)
    try await session.link.expect(bytes("0c0201000000ffff00"))
    await session.advance(by: .seconds(5))
    try await session.link.expect(bytes("0c8200"), answer: bytes("0c82"))
    try await session.link.expect(bytes("0c8201"), answer: bytes(slot))
    if isThere {
      #expect(await outcome == .done(evidence: .response, data: ["slot": 1, "event_slots": []]))
    } else {
      #expect(await code(outcome) == .boardError)
    }
    try await session.link.expectNothing()
  }

  @Test func `F121 what others made before is not taken for the creation that nobody answered`() async throws
  {
    let session = try await DriverSession.interviewed(Self.board)
    let first = BoardProgram.Timer(periodMilliseconds: 1, isStarted: false)
    async let made = session.perform(.program(.createTimer("b", first, declared: [:])))
    try await answerSlots(session)
    try await session.link.expect(bytes("0c0201000000ffff00"), answer: bytes("0c0200"))
    _ = await made
    async let outcome = session.perform(.program(.createTimer("a", first, declared: [:])))
    try await answerSlots(session, ["0c8200": "0c8201000000ffff00"])
    try await session.link.expect(bytes("0c0201000000ffff00"))
    await session.advance(by: .seconds(5))
    try await session.link.expect(bytes("0c8200"), answer: bytes("0c8201000000ffff00"))
    try await session.link.expect(bytes("0c8201"), answer: bytes("0c82"))
    #expect(await code(outcome) == .boardError)
  }

  @Test func `F120 what stays after its removal is removed once more, then said; it is still ours`()
    async throws
  {
    for isLost in [false, true] {
      let session = try await withTimer()
      async let outcome = session.perform(.program(.removeTimer(.name("minute"))))
      let onBoard = ["0c8201": "0c8260ea0000ffff00", "0a8200": "0a820c0601020101"]
      try await answerSlots(session, onBoard)
      try await session.link.expect(bytes("0a8300"), answer: bytes("0a8301"))
      try await session.link.expect(each: [bytes("0a0400"), bytes("0c0501")])
      try await session.link.expect(bytes("0a8200"), answer: bytes("0a82"))
      try await session.link.expect(bytes("0c8201"), answer: bytes("0c8260ea0000ffff00"))
      try await session.link.expect(bytes("0c0501"))
      try await session.link.expect(bytes("0c8201"), answer: bytes(isLost ? "0c8260ea0000ffff00" : "0c82"))
      if isLost {
        #expect(await code(outcome) == .boardError)
        #expect(await session.ownSlots["timers"] == 1)
      } else {
        #expect(
          await outcome == .done(evidence: .readback, data: ["removed": ["event/0", "timer/minute"]]))
        #expect(await session.ownSlots["timers"] == 0)
      }
      try await session.link.expectNothing()
    }
  }

  @Test func `F120 of equal timers each name has its slot, in either order, across links and restarts`()
    async throws
  {
    for (old, new) in [("b", "a"), ("a", "b")] {
      let timer = BoardProgram.Timer(periodMilliseconds: 1, isStarted: false)
      let told = "0c8201000000ffff00"
      let first = try await DriverSession.interviewed(Self.board)
      async let made = first.perform(.program(.createTimer(old, timer, declared: [:])))
      try await answerSlots(first)
      try await first.link.expect(bytes("0c0201000000ffff00"), answer: bytes("0c0200"))
      #expect(await made == .done(evidence: .response, data: ["slot": 0, "event_slots": []]))
      async let beside = first.perform(.program(.createTimer(new, timer, declared: [:])))
      try await answerSlots(first, ["0c8200": told])
      try await first.link.expect(bytes("0c0201000000ffff00"), answer: bytes("0c0201"))
      #expect(await beside == .done(evidence: .response, data: ["slot": 1, "event_slots": []]))
      #expect(await first.ownSlots["timers"] == 2)

      // As the daemon finds it on disk.
      let session = try await DriverSession.interviewed(Self.board)
      await session.recall(program: await first.programMemory)
      async let applied = session.apply(BoardProgram(timers: [old: timer, new: timer]))
      try await answerSlots(session, ["0c8200": told, "0c8201": told])
      #expect(try await applied.get().differences == [])
      #expect(await session.ownSlots["timers"] == 2)
      async let removed = session.perform(.program(.removeTimer(.name(new))))
      try await answerSlots(session, ["0c8200": told, "0c8201": told])
      try await session.link.expect(bytes("0c0501"))
      try await session.link.expect(bytes("0c8201"), answer: bytes("0c82"))
      #expect(await removed == .done(evidence: .readback, data: ["removed": [.string("timer/\(new)")]]))
      #expect(await session.ownSlots["timers"] == 1)
      try await session.link.expectNothing()
    }
  }

  @Test func `F120 what others made stays, and the reply to its removal says so`() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    let timer = BoardProgram.Timer(periodMilliseconds: 1, isStarted: false)
    let onBoard = ["0c8200": "0c8201000000ffff00"]
    async let made = session.perform(.program(.createTimer("t", timer, declared: [:])))
    try await answerSlots(session, onBoard)
    #expect(await made == .done(evidence: .response, data: ["slot": 0, "event_slots": []]))
    async let removed = session.perform(.program(.removeTimer(.name("t"))))
    try await answerSlots(session, onBoard)
    #expect(
      await removed
        == .done(evidence: .linkWrite, data: ["removed": [], "left": ["timer/0"]]))
    try await session.link.expectNothing()
  }

  @Test func `F122 a step that keeps nothing is not reset, be it by command or by an event`() throws {
    let inventory = try Self.board.inventory()
    for (step, isResettable) in [
      (ChainStep("pulse", ["output": "detect", "threshold": 1, "samples": 2]), false),
      (ChainStep("comparator", ["value": 1, "op": "=="]), false),
      (ChainStep("threshold", ["boundary": 1]), false), (ChainStep("delay", ["samples": 1]), false),
      (ChainStep("counter", ["size": 4]), true), (ChainStep("delta", ["magnitude": 1]), true),
    ] {
      let compiler = try ProgramCompiler(
        BoardProgram(chains: ["c": Chain(from: "switch", [step])]), on: inventory)
      var slots = ResourceSlots()
      for key in compiler.keys { slots[key] = 3 }
      let actions = compiler.actionCompiler(slots)
      let change = ProcessorChange(chain: "c", .reset)
      if isResettable {
        #expect(try actions.processor(change) == bytes("090403"))
      } else {
        let failure = #expect(throws: CommandFailure.self) { try actions.processor(change) }
        #expect(failure?.code == .unsupported)
      }
    }
  }

  @Test func `F123 a chain that is to be logged is refused with a sentence, not done without loggers`()
    async throws
  {
    let session = try await DriverSession.interviewed(Self.board)
    let chain = Chain(from: "switch", [ChainStep("counter", ["size": 4])], outputs: [.log])
    let outcome = await session.perform(.program(.createChain("presses", chain, declared: [:])))
    #expect(code(outcome) == .invalid)
    try await session.link.expectNothing()
  }

  private func code(_ outcome: CommandOutcome) -> CommandFailure.Code? {
    if case .failed(let failure) = outcome { failure.code } else { nil }
  }
}
