import FleetModel

/// New firmware for many boards, which stops by itself when something is wrong. Pure: what happened comes in with the
/// time of day, what is to be done comes out; what it is has a stored form that is written before anything is done.
///
///     planned ──begin──▶ canary ─────────▶ soaking ─────────▶ rolling ─────▶ done
///                          │ all have it     │ all are well      │ all finished
///                          │                 │                   │
///                          ▼ one failed      ▼ one is worse      ▼ too many failed, one is stranded
///                        aborted ◀───────────┴───────────────────┘
///
///     any of these ── until is over ──▶ expired;  paused: nothing is begun, and no phase ends
///
/// Whatever ends it, what runs is let run: an update that is interrupted is worse than one that is not wanted any more.
struct Rollout: Hashable, Sendable {
  typealias Phase = RolloutPhase

  typealias Result = RolloutResult
  enum Event: Hashable, Sendable {
    case begin
    /// Time has passed.
    case tick
    case ended(BoardID, Result)
    /// An application of this version answers on a board that was being updated when the gateway ended.
    case found(BoardID, String)
    /// How a board is that was watched.
    case examined(BoardID, BoardHealth)
    /// The board is not ours any more.
    case removed(BoardID)
    case pause, resume
    case abort(String)

    /// The board whose update came to its end by it.
    var board: BoardID? { if case .ended(let board, _) = self { board } else { nil } }
  }

  /// What is to be done, in this order.
  enum Effect: Hashable, Sendable {
    /// It is written to disk.
    case keep
    case start(BoardID)
    /// Its health is looked at, since it has the firmware.
    case examine(BoardID)
    case publish
    /// It is over: nothing runs any more.
    case finish
  }

  /// What it is like outside.
  struct Conditions: Hashable, Sendable {
    var now: Timestamp
    /// Over which adapter each board could be connected; those that are away are missing.
    var adapters: [BoardID: AdapterID]
    /// Whether it is one of the hours in which boards are begun.
    var isOpen = true
    /// What was counted of each board until now.
    var counted: [BoardID: BoardHealth] = [:]
  }

  /// Until a board that could not be had is tried again.
  static let postponement = Duration.seconds(600)

  let plan: RolloutPlan
  private(set) var phase = Phase.planned
  private(set) var isPaused = false
  /// Why it was aborted.
  private(set) var reason: String?
  private(set) var members: [BoardID: RolloutMember]
  /// When the first ones were watched for long enough.
  private(set) var soakEnd: Timestamp?
  /// Those of the first ones that are well.
  private(set) var healthy: Set<BoardID> = []
  /// When the last one behind the first ones was begun.
  private(set) var lastStart: Timestamp?
  private(set) var isFinished = false

  init(_ plan: RolloutPlan) {
    self.plan = plan
    members = Dictionary(uniqueKeysWithValues: plan.members.map { ($0.board, RolloutMember()) })
  }

  /// From its stored form (`Rollout+document.swift`).
  init(_ plan: RolloutPlan, _ kept: Kept) {
    self.plan = plan
    (phase, isPaused, reason, members) = (kept.phase, kept.isPaused, kept.reason, kept.members)
    (soakEnd, healthy, lastStart, isFinished) = (kept.soakEnd, kept.healthy, kept.lastStart, kept.isFinished)
  }

  /// What follows.
  mutating func next(_ event: Event, _ conditions: Conditions) -> [Effect] {
    guard !isFinished else { return [] }
    let before = self
    take(event, conditions)
    let actions = advance(conditions)
    if self == before { return actions }
    return [.keep, .publish] + actions + (isFinished ? [.finish] : [])
  }

  // What happened.

  private mutating func take(_ event: Event, _ conditions: Conditions) {
    switch event {
    case .begin: if phase == .planned { phase = .canary }
    case .tick: break
    case .ended(let board, let result): ended(board, result, conditions)
    case .found(let board, let version):
      let isNew = version == plan.version && plan.installed(on: board) != version
      ended(board, isNew ? .done : .failed("the gateway ended while it was updated"), conditions)
    case .examined(let board, let health): examined(board, health)
    case .removed(let board): removed(board)
    case .pause: if !phase.isEnd { isPaused = true }
    case .resume: isPaused = false
    case .abort(let reason): end(.aborted, reason)
    }
  }

  private mutating func ended(_ board: BoardID, _ result: Result, _ conditions: Conditions) {
    guard var member = members[board], member.adapter != nil else { return }
    switch (result, member.isRunning) {
    case (.done, _):
      (member.state, member.reason) = (.done, nil)
      member.counted = conditions.counted[board].map { RolloutMember.Counted($0) }
    case (.stranded(let reason), _): (member.state, member.reason) = (.stranded, reason)
    case (.withdrawn(let reason), _): (member.state, member.reason) = (.skipped, reason)
    // It counts as failed already.
    case (.failed, false), (.postponed, false): member.state = .failed
    case (.postponed(let reason), true):
      member.reason = reason
      member.state = phase.isEnd ? .skipped : .waiting(notBefore: conditions.now + Self.postponement)
    case (.failed(let reason), true):
      member.failures += 1
      let isLast = phase.isEnd || member.failures > plan.options.retries
      (member.state, member.reason) = (isLast ? .failed : .waiting(notBefore: nil), reason)
    }
    members[board] = member
  }

  private mutating func examined(_ board: BoardID, _ health: BoardHealth) {
    guard phase == .soaking, plan.canaries.contains(board),
      let member = plan.members.first(where: { $0.board == board })
    else { return }
    let since = members[board]?.counted?.since(health) ?? health
    let problems = since.problems(since: member.health, over: plan.options.soak)
    if problems.isEmpty {
      healthy.insert(board)
    } else {
      end(
        .aborted,
        "board \(board), one of the first, is worse than before: \(problems.joined(separator: "; "))")
    }
  }

  /// Nobody waits for it any more; one of the first ones is missed.
  private mutating func removed(_ board: BoardID) {
    if phase == .soaking, plan.canaries.contains(board), !healthy.contains(board) {
      end(.aborted, "board \(board), one of the first, was removed (forget) while it was watched")
    }
    guard var member = members[board], member.isWaiting || member.adapter != nil else { return }
    member.state = member.isWaiting ? .skipped : .failed
    member.reason = "the board was removed (forget)"
    members[board] = member
  }

  // What follows.

  private mutating func advance(_ conditions: Conditions) -> [Effect] {
    overlook(at: conditions.now)
    judge(at: conditions.now)
    var effects: [Effect] = []
    if !isPaused { effects = changePhase(at: conditions.now) }
    if let board = nextStart(conditions) {
      effects.append(.start(board))
      // Others may follow on other adapters.
      while let board = nextStart(conditions) { effects.append(.start(board)) }
    }
    if phase.isEnd, !members.values.contains(where: \.isRunning) { isFinished = true }
    return effects
  }

  /// Boards whose time is over count as failed, and keep their adapter until they end.
  private mutating func overlook(at now: Timestamp) {
    for (board, member) in members {
      guard case .running(let since, let adapter) = member.state, now >= since + plan.options.timeout else {
        continue
      }
      members[board]?.state = .overdue(adapter)
      members[board]?.reason = "it took longer than \(DurationText.format(plan.options.timeout))"
    }
  }

  /// Whether it goes on at all.
  private mutating func judge(at now: Timestamp) {
    guard !phase.isEnd, phase != .planned else { return }
    let options = plan.options
    let finished = members.values.filter(\.isFinished)
    let stranded = finished.count { $0.state == .stranded }
    let bad = finished.count { $0.state != .done }
    if options.stranded > 0, stranded >= options.stranded {
      end(.aborted, "\(CountText.of(stranded, "board")) waits in the bootloader, without firmware")
    } else if let canary = plan.canaries.sorted().first(where: { isBad($0) }) {
      end(.aborted, "board \(canary), one of the first, failed: \(members[canary]?.reason ?? "")")
    } else if let limit = options.failPercent, finished.count >= options.judgedFrom,
      bad * 100 > limit * finished.count
    {
      end(.aborted, "\(bad) of \(finished.count) boards failed")
    } else if let until = options.until, now >= until {
      end(.expired, nil)
    }
  }

  private func isBad(_ board: BoardID) -> Bool {
    members[board].map { ($0.isFinished || $0.state == .skipped) && $0.state != .done } ?? false
  }

  private mutating func changePhase(at now: Timestamp) -> [Effect] {
    if phase == .canary, plan.canaries.allSatisfy({ members[$0]?.state == .done }) {
      (phase, soakEnd) = (.soaking, now + plan.options.soak)
    }
    if phase == .soaking, let soakEnd, now >= soakEnd {
      let open = plan.canaries.subtracting(healthy)
      guard open.isEmpty else { return open.sorted().map { .examine($0) } }
      phase = .rolling
    }
    if phase == .rolling, members.values.allSatisfy({ $0.isFinished || $0.state == .skipped }) {
      phase = .done
    }
    return []
  }

  /// Begins a board, if one may be begun.
  private mutating func nextStart(_ conditions: Conditions) -> BoardID? {
    let isCanary = phase == .canary
    guard isCanary || phase == .rolling, !isPaused, conditions.isOpen else { return nil }
    let busy = members.values.compactMap(\.adapter)
    guard busy.count < plan.options.parallel else { return nil }
    if !isCanary, let lastStart, conditions.now < lastStart + pause { return nil }
    let ready = plan.members.map(\.board).filter { board in
      (!isCanary || plan.canaries.contains(board)) && isReady(board, conditions, busy)
    }
    // Boards that had to be put off come behind all others: they may have to be put off again.
    guard let board = ready.min(by: { putOff($0) < putOff($1) }), let adapter = conditions.adapters[board]
    else { return nil }
    members[board]?.state = .running(since: conditions.now, adapter)
    members[board]?.attempts += 1
    if !isCanary { lastStart = conditions.now }
    return board
  }

  private func isReady(_ board: BoardID, _ conditions: Conditions, _ busy: [AdapterID]) -> Bool {
    guard case .waiting(let notBefore) = members[board]?.state, let adapter = conditions.adapters[board]
    else { return false }
    return notBefore.map { $0 <= conditions.now } ?? true && !busy.contains(adapter)
  }

  /// Until when a board was put off; before all times where it was not.
  private func putOff(_ board: BoardID) -> Timestamp {
    guard case .waiting(let time?) = members[board]?.state else { return Timestamp(nanoseconds: .min) }
    return time
  }

  /// Between two boards, now.
  private var pause: Duration { RolloutRamp(plan.options).pause(behind: successes) }

  /// Boards behind the first ones that have it.
  private var successes: Int {
    members.count { $0.value.state == .done && !plan.canaries.contains($0.key) }
  }

  /// Boards that may be begun in an hour, by now.
  var perHour: Int { RolloutRamp(plan.options).rate(behind: successes) }

  private mutating func end(_ phase: Phase, _ reason: String?) {
    guard !self.phase.isEnd else { return }
    (self.phase, self.reason, isPaused) = (phase, reason, false)
    for (board, member) in members where member.isWaiting { members[board]?.state = .skipped }
  }

  /// When something changes by itself; nil: not before something happens.
  func due(after now: Timestamp) -> Timestamp? {
    var moments = members.values.compactMap { member -> Timestamp? in
      switch member.state {
      case .waiting(let time): time
      case .running(let since, _): since + plan.options.timeout
      case .overdue, .done, .failed, .stranded, .skipped: nil
      }
    }
    if !phase.isEnd { moments += [soakEnd, plan.options.until].compactMap { $0 } }
    if phase == .rolling, let lastStart { moments.append(lastStart + pause) }
    return moments.filter { $0 > now }.min()
  }
}
