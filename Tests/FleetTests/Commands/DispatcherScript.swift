import FleetModel
import Support
import VirtualTime

@testable import Fleet

/// What becomes of commands, and what was said and done; outlives the processes of a rig.
actor DispatcherScript {
  /// How a board behaves.
  struct Behaviour: Sendable {
    var takes = Duration.milliseconds(50)
    var outcome = CommandOutcome.done(evidence: .response, data: [:])
    /// Commands of these meanings end otherwise.
    var ends: [BoardIntent: CommandOutcome] = [:]
    /// Commands of these meanings never come to an end.
    var hangsAt: Set<BoardIntent> = []
    /// Commands wait until the board comes, or until they expire.
    var isAway = false
    /// When it is said to come.
    var eta: Timestamp?
    /// Commands never come to an end.
    var hangs = false
    /// Every other command waits a moment for the number of its turn.
    var isSlowToAnswer = false
  }

  /// What a board was told to do.
  struct Effect: Hashable, Sendable {
    var board: BoardID
    var intent: BoardIntent
    var time: Duration
  }

  private(set) var performed: [GatewayIntent] = []
  private(set) var effects: [Effect] = []
  private(set) var events: [FleetEvent] = []
  private(set) var elsewhere: Set<BoardID> = []
  private(set) var forgotten: Set<BoardID> = []
  private(set) var isAmongOthers = false
  private var behaviours: [BoardID: Behaviour] = [:]
  private var isHanging = false
  private var outcome = CommandOutcome.done(evidence: nil, data: ["n": 1])
  private var process: SeededProcess?
  private let world: SeededWorld
  nonisolated var unownedExecutor: UnownedSerialExecutor { world.asUnownedSerialExecutor() }

  init(_ world: SeededWorld) { self.world = world }

  /// A process begins.
  func begin(_ process: SeededProcess) { self.process = process }

  /// Kills the process that runs.
  func kill() { process?.kill() }

  func perform(_ intent: GatewayIntent) async -> CommandOutcome {
    performed.append(intent)
    if isHanging { await Self.never() }
    return outcome
  }

  func took(_ intent: BoardIntent, by board: BoardID, at time: Duration) {
    effects.append(Effect(board: board, intent: intent, time: time))
  }

  /// Nothing wakes it, not even cancellation: as far as the world goes, the process dies here.
  static func never() async { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }

  func record(_ events: [FleetEvent]) { self.events += events }

  /// Lets commands of the gateway never come to an end.
  func hang(_ isHanging: Bool) { self.isHanging = isHanging }

  /// Decides how commands of the gateway end.
  func end(with outcome: CommandOutcome) { self.outcome = outcome }

  /// Says which boards are other gateways'.
  func set(elsewhere boards: Set<BoardID>) { elsewhere = boards }

  func set(forgotten boards: Set<BoardID>) { forgotten = boards }

  func set(amongOthers: Bool) { isAmongOthers = amongOthers }

  /// Decides how a board behaves.
  func set(_ board: BoardID, _ change: @Sendable (inout Behaviour) -> Void) {
    change(&behaviours[board, default: Behaviour()])
  }

  func behaviour(of board: BoardID) -> Behaviour { behaviours[board] ?? Behaviour() }
}

/// A board that does what the script says, one command at a time.
actor ScriptedBoard: CommandedBoard {
  private let board: BoardID
  private let groups: [String]
  private let script: DispatcherScript
  private let world: SeededWorld
  private var turns = CommandSequence()
  private var withdrawn: Set<CommandSequence.Turn> = []
  private var asked = 0

  init(_ board: BoardID, groups: [String], script: DispatcherScript, world: SeededWorld) {
    (self.board, self.groups, self.script, self.world) = (board, groups, script, world)
  }

  func commandTargetStatus() async -> TargetStatus {
    let behaviour = await script.behaviour(of: board)
    return TargetStatus(groups: groups, isReachable: !behaviour.isAway, nextContact: behaviour.eta)
  }

  func takeTurn() async -> CommandSequence.Turn {
    asked += 1
    if await script.behaviour(of: board).isSlowToAnswer, asked % 2 == 1 {
      try? await world.sleep(for: .milliseconds(3))
    }
    return turns.take()
  }

  func withdraw(_ turn: CommandSequence.Turn) { withdrawn.insert(turn) }

  func perform(
    _ intent: BoardIntent, turn: CommandSequence.Turn, expires: Timestamp, mode: CommandRequest.Mode,
    _ stages: CommandProgress
  ) async -> CommandOutcome {
    defer { turns.leave(turn) }
    var isTold = false
    while await script.behaviour(of: board).isAway || turns.next != turn {
      if mode == .queue, !isTold {
        isTold = true
        await stages.queued(await script.behaviour(of: board).eta)
      }
      if Task.isCancelled || withdrawn.contains(turn) || world.now >= expires {
        return .failed(CommandFailure(.unreachable, "it did not come"))
      }
      try? await world.sleep(for: .milliseconds(20))
    }
    turns.begin(turn)
    guard case .batch(let batch) = intent else { return await carryOut(intent, stages) }
    return await BatchRun(batch: batch, stages: stages).run(by: self) { intent, stages, board in
      await board.carryOut(intent, stages)
    }
  }

  private func carryOut(_ intent: BoardIntent, _ stages: CommandProgress) async -> CommandOutcome {
    guard await stages.sent() else { return .failed(.cancelled) }
    await script.took(intent, by: board, at: world.uptime)
    let behaviour = await script.behaviour(of: board)
    if behaviour.hangs || behaviour.hangsAt.contains(intent) { await DispatcherScript.never() }
    try? await world.sleep(for: behaviour.takes)
    return behaviour.ends[intent] ?? behaviour.outcome
  }
}
