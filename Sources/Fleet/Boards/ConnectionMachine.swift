import BoardKit
import FleetModel

/// When to try a connection to one board, and what to say about it meanwhile. Pure: time and jitter come in.
///
///              sighted / adopted            granted
///     absent ────────────────▶ wanting ───────────────▶ connecting
///       ▲  ▲                    ▲    ▲                    │      │
///       │  └── not seen again ──┘    │ wait over, heard   │      │ link up
///       │                            │                    ▼      ▼
///     held ◀── hold ── connected   resting ◀── failed ────┘   connected
///                          │          ▲                          │
///                          └──────────┴───── link ended ─────────┘
///     stranded (no radio, or a person must act) ── radio returned ──▶ absent
struct ConnectionMachine: Sendable {
  enum State: Hashable, Sendable {
    /// Nobody heard the board lately.
    case absent
    /// It is there; it needs its turn.
    case wanting
    case connecting
    case connected
    /// Waits before the next attempt; `needsSighting` when only a board that was heard again is worth it.
    case resting(until: Duration, needsSighting: Bool)
    /// Kept apart on request.
    case held(until: Duration)
    /// No adapter, no service, or no permission.
    case stranded
  }

  /// What the supervisor is to do next.
  enum Step: Hashable, Sendable {
    /// Nothing before `until`; nil = until something happens.
    case wait(until: Duration?)
    /// Ask for a place and connect.
    case connect
  }

  private(set) var state = State.absent
  /// Failed attempts since the last link.
  private(set) var failures = 0
  /// The last failure, until a link is up.
  private(set) var lastFailure: LinkFailure?
  private var lastSighting: Duration?
  /// Times of lost links within the flap window, which stands still while the board rests.
  private var losses: [Duration] = []
  /// The last loss, and the ones before it as they were.
  private var lastLoss: (time: Duration, before: [Duration])?
  private var lastRadioLoss: Duration?
  private var budget = AttemptBudget()
  private var lastRemoval: Duration?

  /// A link that breaks five times in ten minutes flaps (fault F27): it rests for a minute, and longer each time.
  static let flapLimit = 5
  static let flapWindow = Duration.seconds(600)
  /// BlueZ tells of broken links first, and then that the adapter is off or that it leaves itself. A link that ends so
  /// shortly before or after has ended because of it.
  static let aftermath = Duration.seconds(3)

  /// The system discovers a device anew in its own time (fault F07), and frees a place likewise.
  static let removalRest = Duration.seconds(4)
  static let slotRest = Duration.seconds(4)
  static let removalPause = Duration.seconds(30)

  /// Whether the link has been lost so often that it rests.
  var isFlapping: Bool { losses.count >= Self.flapLimit }

  mutating func sighted(at now: Duration) {
    lastSighting = now
    if state == .absent { state = .wanting }
    if case .resting(let until, true) = state, now >= until { state = .wanting }
  }

  /// What to do at `now`.
  mutating func step(at now: Duration) -> Step {
    switch state {
    case .absent, .connecting, .connected, .stranded: return .wait(until: nil)
    case .wanting: return budget.pause(at: now).map { .wait(until: $0) } ?? .connect
    case .held(let until):
      if now < until { return .wait(until: until) }
      state = .absent
      if let lastSighting, lastSighting >= until { state = .wanting }
      return step(at: now)
    case .resting(let until, let needsSighting):
      if now < until { return .wait(until: until) }
      if needsSighting {
        state = .absent
        return .wait(until: nil)
      }
      state = .wanting
      return step(at: now)
    }
  }

  mutating func began(at now: Duration) {
    state = .connecting
    budget.spend(at: now)
  }

  mutating func linkUp() {
    state = .connected
    lastFailure = nil
  }

  /// A request was answered on the link: it is a real one.
  mutating func answered() { failures = 0 }

  /// `isRadioUsable`: whether the radio can be used by now. It may have returned, or another adapter may be there,
  /// before the failure of an attempt is known; nobody would tell of its return again.
  mutating func failed(
    _ failure: LinkFailure, at now: Duration, jitter: Double, isRadioUsable: Bool = false
  ) {
    failures += 1
    lastFailure = failure
    switch failure.recovery {
    case .waitForRadio where isRadioUsable:
      state = .resting(
        until: now + Backoff.delay(afterFailures: failures, jitter: jitter), needsSighting: false)
    case .waitForRadio, .needsOperator: state = .stranded
    case .retryWhenSeen:
      let least: Duration = failure.reason == .deviceGone ? Self.removalRest : .zero
      let delay = max(least, Backoff.delay(afterFailures: failures, jitter: jitter))
      state = .resting(until: now + delay, needsSighting: true)
    case .waitForSlot: state = .resting(until: now + Self.slotRest, needsSighting: false)
    case .retry, .rediscover:
      // Held by another client: asking often would not change it (fault F08).
      let least: Duration = failure.reason == .busyElsewhere ? .seconds(30) : .zero
      let delay = max(least, Backoff.delay(afterFailures: failures, jitter: jitter))
      state = .resting(until: now + delay, needsSighting: false)
    }
  }

  /// The link is down. `wasAnswered`: whether it ever was more than a promise; `isRadioUsable` as in `failed`;
  /// `isOrdered`: a command had told the board to leave, which is no loss.
  mutating func linkEnded(
    _ failure: LinkFailure, wasAnswered: Bool, at now: Duration, jitter: Double, isRadioUsable: Bool = false,
    isOrdered: Bool = false
  ) {
    if wasAnswered, failure.reason == .closed || isOrdered { budget.giveBack() }
    if case .held = state { return }
    let isStranded = failure.recovery == .waitForRadio && !isRadioUsable
    guard wasAnswered || isStranded else {
      return failed(failure, at: now, jitter: jitter, isRadioUsable: isRadioUsable)
    }
    lastFailure = failure
    if isStranded {
      state = .stranded
      return
    }
    // What the radio's absence ended says nothing about the board's link.
    let isRadiosDoing =
      failure.recovery == .waitForRadio || lastRadioLoss.map { now - $0 < Self.aftermath } ?? false
    let isLoss = failure.reason != .closed && !isOrdered && !isRadiosDoing
    losses = losses.filter { now - $0 < Self.flapWindow }
    if isLoss {
      lastLoss = (now, losses)
      losses.append(now)
    }
    guard isLoss, isFlapping else {
      // The adapter frees the place a moment after the link went.
      let isGone = failure.reason == .deviceGone
      state = .resting(until: now + (isGone ? Self.removalRest : .milliseconds(250)), needsSighting: isGone)
      return
    }
    let doublings = min(losses.count - Self.flapLimit, 4)
    let rest = Duration.seconds(min(60 * (1 << doublings), 600))
    losses = losses.map { $0 + rest }
    state = .resting(until: now + rest, needsSighting: false)
  }

  /// Whether the system should forget the board now, so that it is discovered anew: where the failure asks for it,
  /// and at most every half minute, because that is hard on the system (escalation ladder, rung 3).
  mutating func removes(after failure: LinkFailure, at now: Duration) -> Bool {
    guard failure.recovery == .rediscover else { return false }
    if let lastRemoval, now - lastRemoval < Self.removalPause { return false }
    lastRemoval = now
    return true
  }

  mutating func hold(until: Duration) { state = .held(until: until) }

  /// The radio can be used again. A board that was heard just now, or that the system still holds connected, is not
  /// forgotten.
  mutating func radioReturned(at now: Duration) {
    guard state == .stranded else { return }
    state = lastSighting.map { now - $0 <= AirtimePlan.freshness } == true ? .wanting : .absent
  }

  mutating func radioLost(_ failure: LinkFailure, at now: Duration) {
    lastRadioLoss = now
    if let lastLoss, now - lastLoss.time < Self.aftermath { losses = lastLoss.before }
    lastLoss = nil
    switch state {
    case .held, .connected, .connecting: break
    case .absent, .wanting, .resting, .stranded:
      state = .stranded
      lastFailure = failure
    }
  }
}
