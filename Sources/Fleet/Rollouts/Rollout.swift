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
  enum Phase: String, Hashable, Sendable {
    case planned, canary, soaking, rolling, done, aborted, expired

    var isEnd: Bool { self == .done || self == .aborted || self == .expired }
  }

  /// How the update of a board ended.
  enum Result: Hashable, Sendable {
    case done
    case failed(String)
    /// It cannot be had now, such as with an empty battery: that is no failure.
    case postponed(String)
    /// It waits in its bootloader, without firmware.
    case stranded(String)
  }

  /// Where a board was found that was being updated when the gateway ended.
  enum Whereabouts: Hashable, Sendable {
    /// An application of this version answers.
    case application(String)
    /// Its rescue goes on, and ends its update.
    case bootloader
  }

  enum Event: Hashable, Sendable {
    case begin
    /// Time has passed.
    case tick
    case ended(BoardID, Result)
    case found(BoardID, Whereabouts)
    /// How a board is that was watched.
    case examined(BoardID, BoardHealth)
    case pause, resume
    case abort(String)
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
    take(event, at: conditions.now)
    let actions = advance(conditions)
    if self == before { return actions }
    return [.keep] + actions + [.publish] + (isFinished ? [.finish] : [])
  }

  // What happened.

  private mutating func take(_ event: Event, at now: Timestamp) {
    switch event {
    case .begin: if phase == .planned { phase = .canary }
    case .tick: break
    case .ended(let board, let result): ended(board, result, at: now)
    case .found(let board, .application(let version)) where members[board]?.isRunning == true:
      ended(
        board, version == plan.version ? .done : .failed("the gateway ended while it was updated"), at: now)
    case .found: break
    case .examined(let board, let health): examined(board, health)
    case .pause: if !phase.isEnd { isPaused = true }
    case .resume: isPaused = false
    case .abort(let reason): end(.aborted, reason)
    }
  }

  private mutating func ended(_ board: BoardID, _ result: Result, at now: Timestamp) {
    guard var member = members[board], member.adapter != nil else { return }
    switch (result, member.isRunning) {
    case (.done, _): (member.state, member.reason) = (.done, nil)
    case (.stranded(let reason), _): (member.state, member.reason) = (.stranded, reason)
    // It counts as failed already.
    case (.failed, false), (.postponed, false): member.state = .failed
    case (.postponed(let reason), true):
      member.attempts -= 1
      (member.state, member.reason) = (.waiting(notBefore: now + Self.postponement), reason)
    case (.failed(let reason), true):
      let isLast = member.attempts > plan.options.retries
      (member.state, member.reason) = (isLast ? .failed : .waiting(notBefore: nil), reason)
    }
    if phase.isEnd, member.isWaiting { member.state = .failed }
    members[board] = member
  }

  private mutating func examined(_ board: BoardID, _ health: BoardHealth) {
    guard phase == .soaking, plan.canaries.contains(board),
      let member = plan.members.first(where: { $0.board == board })
    else { return }
    let problems = health.problems(since: member.health, over: plan.options.soak)
    if problems.isEmpty {
      healthy.insert(board)
    } else {
      end(
        .aborted,
        "board \(board), one of the first, is worse than before: \(problems.joined(separator: "; "))")
    }
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
    members[board].map { $0.isFinished && $0.state != .done } ?? false
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
    if phase == .rolling, members.values.allSatisfy(\.isFinished) { phase = .done }
    return []
  }

  /// Begins a board, if one may be begun.
  private mutating func nextStart(_ conditions: Conditions) -> BoardID? {
    let isCanary = phase == .canary
    guard isCanary || phase == .rolling, !isPaused, conditions.isOpen else { return nil }
    let busy = members.values.compactMap(\.adapter)
    guard busy.count < plan.options.parallel else { return nil }
    if !isCanary, let lastStart, conditions.now < lastStart + pause { return nil }
    for member in plan.members where !isCanary || plan.canaries.contains(member.board) {
      guard case .waiting(let notBefore) = members[member.board]?.state,
        notBefore.map({ $0 <= conditions.now }) ?? true,
        let adapter = conditions.adapters[member.board], !busy.contains(adapter)
      else { continue }
      members[member.board]?.state = .running(since: conditions.now, adapter)
      members[member.board]?.attempts += 1
      if !isCanary { lastStart = conditions.now }
      return member.board
    }
    return nil
  }

  /// Between two boards, now.
  private var pause: Duration {
    let successes = members.count { $0.value.state == .done && !plan.canaries.contains($0.key) }
    return RolloutRamp(plan.options).pause(behind: successes)
  }

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
