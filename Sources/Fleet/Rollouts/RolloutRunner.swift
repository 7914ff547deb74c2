import FleetModel
import Logging
import Storage

/// Has rollouts carried out: asks the clock and `Rollout` what is next, writes it down, does it. One at a time.
///
/// All that happens is taken up by `run`, in its order, so that what is on disk is always what was decided last.
actor RolloutRunner {
  let store: Store
  let timekeeper: any Timekeeper
  let log: Logger
  let routes: RolloutRoutes
  /// The one that is not over.
  var live: LiveRollout?
  /// Those that are over, the oldest first.
  var past: [RolloutReport] = []
  /// For hours of the day, and for who may do what.
  private var configuration: FleetConfiguration
  private var isPlanning = false
  private var beginning = RolloutBeginning.waiting
  private var errands: [RolloutErrand] = []
  /// Nobody takes anything up any more.
  private var isOver = false
  private let waker = TaskWaker()

  /// Boards come and go meanwhile, and the wall clock may be set.
  private static let pause = Duration.seconds(10)

  init(
    _ configuration: FleetConfiguration, store: Store, timekeeper: any Timekeeper, log: Logger,
    routes: RolloutRoutes
  ) {
    (self.configuration, self.store, self.timekeeper) = (configuration, store, timekeeper)
    (self.log, self.routes) = (log, routes)
  }

  /// Carries rollouts out until cancelled.
  func run() async {
    while !Task.isCancelled {
      if beginning == .failed { await takeUp() }
      var isWritten = true
      while beginning == .done, !errands.isEmpty {
        let errand = errands.removeFirst()
        let isDone = await take(errand.kind)
        errand.continuation?.resume(returning: isDone)
        isWritten = isWritten && isDone
      }
      if beginning == .done, live != nil { await look() }
      if !isWritten {
        // What cannot be written is looked at again and again, which would leave time for nothing else.
        try? await timekeeper.sleep(for: Self.pause)
      } else if errands.isEmpty || beginning != .done {
        await waker.sleep(atMost: live == nil && beginning != .failed ? nil : Self.pause, by: timekeeper)
      }
    }
    isOver = true
    for errand in errands { errand.continuation?.resume(returning: false) }
    errands = []
  }

  /// What the last run left is taken up, or could not be read.
  func began(_ beginning: RolloutBeginning) {
    self.beginning = beginning
    if beginning == .done { waker.wake() }
  }

  /// Goes by another configuration from now on.
  func change(to new: FleetConfiguration) {
    configuration = new
    waker.wake()
  }

  /// The command of a board is over; of other jobs' boards nothing is known here.
  func ended(_ board: BoardID, _ outcome: CommandOutcome, of job: CommandEntry.Key) {
    guard let plan = live?.rollout.plan, routes.key(plan) == job else { return }
    add(.ended(board, outcome))
  }

  // What is asked of it.

  /// Plans a rollout, and begins it unless only the plan is wanted.
  func begin(_ order: RolloutOrder, from sender: [UserProperty]) async -> CommandOutcome {
    if !order.isDryRun, let failure = obstacle(to: order) { return .failed(failure) }
    isPlanning = !order.isDryRun || isPlanning
    defer { if !order.isDryRun { isPlanning = false } }
    let boards = await routes.fleet().boards.filter {
      order.group == GroupRules.all || $0.value.groups.contains(order.group)
    }
    let plan = await RolloutPlanning(
      order: order, boards: boards, permissions: configuration.commands.permissions, sender: sender,
      installation: routes.installation
    ).plan()
    let answer = plan.answer(isDryRun: order.isDryRun)
    if order.isDryRun { return .done(evidence: nil, data: answer) }
    if let failure = plan.objection(answer) { return .failed(failure) }
    guard await carryOut(.begin(Rollout(plan))) else { return .failed(Self.notStored) }
    return .done(evidence: nil, data: answer)
  }

  /// Pauses, resumes or aborts one.
  func change(_ id: String, _ event: Rollout.Event) async -> CommandOutcome {
    guard beginning == .done else { return .failed(Self.notRead) }
    guard let live, live.rollout.plan.id == id else {
      if past.contains(where: { $0.id == id }) { return .failed(.invalid("the rollout \(id) is over")) }
      return .failed(
        .invalid(Suggestion.missing("rollout", id, among: live.map { [$0.rollout.plan.id] } ?? [])))
    }
    guard await carryOut(.event(event)) else { return .failed(Self.notStored) }
    guard let report = reports.first(where: { $0.id == id }) else { return .failed(Self.notStored) }
    return .done(
      evidence: nil,
      data: [
        "rollout": .string(id), "phase": .string(report.phase.rawValue), "paused": .bool(report.isPaused),
      ])
  }

  /// All that there are, the latest first.
  var reports: [RolloutReport] {
    (past + [live.map { $0.rollout.report(began: $0.began, at: timekeeper.now) }].compactMap { $0 })
      .reversed()
  }

  private func obstacle(to order: RolloutOrder) -> CommandFailure? {
    guard beginning == .done else { return Self.notRead }
    guard timekeeper.now.isPlausible else {
      return CommandFailure(.busy, "the gateway's clock is not set; a rollout goes by the time of day")
    }
    if let live {
      return CommandFailure(
        .busy,
        "the rollout \(live.rollout.plan.id) is not over; wait for it, or rollout-abort rollout=\(live.rollout.plan.id)"
      )
    }
    if isPlanning { return CommandFailure(.busy, "another rollout is being planned; try again in a minute") }
    return past.contains { $0.id == order.id }
      ? .invalid("there was a rollout with the id \(order.id); send it with another one") : nil
  }

  /// One that is not over may be among them.
  static let notRead = CommandFailure(
    .busy, "the gateway has not read its stored rollouts yet; try again in a minute")

  static let notStored = CommandFailure(
    .internal,
    "the rollout cannot be written to disk, without which nothing is begun; see the gateway's storage")

  // How it is done.

  func add(_ kind: RolloutErrand.Kind) {
    errands.append(RolloutErrand(kind: kind))
    waker.wake()
  }

  /// Has `run` take it up. Whether it is written down.
  private func carryOut(_ kind: RolloutErrand.Kind) async -> Bool {
    guard !isOver else { return false }
    return await withCheckedContinuation { continuation in
      errands.append(RolloutErrand(kind: kind, continuation: continuation))
      waker.wake()
    }
  }

  /// What it is like outside, for the rollout that is not over.
  func conditions(_ fleet: RolloutFleet) -> Rollout.Conditions {
    let (now, options) = (timekeeper.now, live?.rollout.plan.options ?? RolloutOptions())
    let minute = configuration.timeZone.local(now).minute
    let isOpen = options.hours.isEmpty || options.hours.contains { $0.contains(minute: minute) }
    return Rollout.Conditions(
      now: now, adapters: fleet.adapters, isOpen: isOpen && now.isPlausible,
      counted: fleet.boards.mapValues(\.health))
  }
}
