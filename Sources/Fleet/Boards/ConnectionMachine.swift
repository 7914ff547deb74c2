import BoardKit
import FleetModel

/// When to try a connection to one board, and what to say about it meanwhile. Pure: time and jitter come in.
///
///     absent ── advertised / adopted ──▶ waitingForSlot ── slot granted ──▶ connecting ── link up ──▶ connected
///       ▲                                   ▲                                │                         │
///       │                                   │ back-off over                  │ failed                  │ link ended
///       └─ back-off over, not advertised ─ backingOff ◀──────────────────────┴─────────────────────────┘
///     any state ── suspend ──▶ suspended ── time over ──▶ absent, or waitingForSlot if it advertised
///     radioUnavailable (no radio, or a person must act) ── radio returned ──▶ absent, or waitingForSlot
struct ConnectionMachine: Sendable {
  enum State: Hashable, Sendable {
    /// No advertisement of the board was received lately.
    case absent
    /// It advertises; it waits for a connection slot.
    case waitingForSlot
    case connecting
    case connected
    /// Waits before the next attempt; `needsAdvertisement` when only a board that advertised again is worth it.
    case backingOff(until: Duration, needsAdvertisement: Bool)
    /// Disconnected on request.
    case suspended(until: Duration)
    /// No adapter, no service, or no permission.
    case radioUnavailable
  }

  /// What the supervisor is to do next.
  enum Step: Hashable, Sendable {
    /// Nothing before `until`; nil = until something happens.
    case wait(until: Duration?)
    /// Ask for a connection slot and connect.
    case connect
  }

  private(set) var state = State.absent
  /// Failed attempts since the last link.
  private(set) var failures = 0
  /// Failures in a row that only a change elsewhere can mend, until a link served its purpose.
  private var refusals = 0
  /// The last failure, until a link is up.
  private(set) var lastFailure: LinkFailure?
  private var lastAdvertisement: Duration?
  /// Times of lost links within the flap window, which stands still during the back-off.
  private var losses: [Duration] = []
  /// The last loss, and the ones before it as they were.
  private var lastLoss: (time: Duration, before: [Duration])?
  private var lastRadioLoss: Duration?
  private var budget = ConnectRateLimit()
  private var lastRemoval: Duration?

  /// A link that breaks five times in ten minutes flaps (fault F27): its back-off is a minute, and longer each time.
  static let flapLimit = 5
  static let flapWindow = Duration.seconds(600)
  /// BlueZ tells of broken links first, and then that the adapter is off or that it leaves itself. A link that ends so
  /// shortly before or after has ended because of it.
  static let radioLossWindow = Duration.seconds(3)

  /// The system discovers a device anew in its own time (fault F07), and frees a slot likewise.
  static let rediscoveryDelay = Duration.seconds(4)
  static let slotReleaseDelay = Duration.seconds(4)
  static let removalPause = Duration.seconds(30)

  /// Whether the link has been lost so often that its back-off is long.
  var isFlapping: Bool { losses.count >= Self.flapLimit }

  /// A refused board that was not received for so long was away: switched off, reset, or given other firmware.
  static let absence = Duration.seconds(60)

  mutating func advertised(at now: Duration) {
    let wasAway = lastAdvertisement.map { now - $0 >= Self.absence } ?? true
    lastAdvertisement = now
    if case .backingOff = state, wasAway, lastFailure?.recovery == .retryLater { state = .waitingForSlot }
    if state == .absent { state = .waitingForSlot }
    if case .backingOff(let until, true) = state, now >= until { state = .waitingForSlot }
  }

  /// What to do at `now`.
  mutating func step(at now: Duration) -> Step {
    switch state {
    case .absent, .connecting, .connected, .radioUnavailable: return .wait(until: nil)
    case .waitingForSlot: return budget.pause(at: now).map { .wait(until: $0) } ?? .connect
    case .suspended(let until):
      if now < until { return .wait(until: until) }
      state = .absent
      if let lastAdvertisement, lastAdvertisement >= until { state = .waitingForSlot }
      return step(at: now)
    case .backingOff(let until, let needsAdvertisement):
      if now < until { return .wait(until: until) }
      if needsAdvertisement {
        state = .absent
        return .wait(until: nil)
      }
      state = .waitingForSlot
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
      state = .backingOff(
        until: now + Backoff.delay(afterFailures: failures, jitter: jitter), needsAdvertisement: false)
    case .waitForRadio: state = .radioUnavailable
    case .retryLater:
      refusals += 1
      state = .backingOff(
        until: now + Backoff.delay(afterRefusals: refusals, jitter: jitter), needsAdvertisement: false)
    case .retryWhenSeen:
      let least: Duration = failure.reason == .deviceGone ? Self.rediscoveryDelay : .zero
      let delay = max(least, Backoff.delay(afterFailures: failures, jitter: jitter))
      state = .backingOff(until: now + delay, needsAdvertisement: true)
    case .waitForSlot: state = .backingOff(until: now + Self.slotReleaseDelay, needsAdvertisement: false)
    case .retry, .rediscover:
      // Held by another client: asking often would not change it (fault F08).
      let least: Duration = failure.reason == .busyElsewhere ? .seconds(30) : .zero
      let delay = max(least, Backoff.delay(afterFailures: failures, jitter: jitter))
      state = .backingOff(until: now + delay, needsAdvertisement: false)
    }
  }

  /// The link is down. `wasAnswered`: whether it ever was more than a promise; `isRadioUsable` as in `failed`;
  /// `isOrdered`: a command had ordered the board to disconnect, which is no loss.
  mutating func linkEnded(
    _ failure: LinkFailure, wasAnswered: Bool, at now: Duration, jitter: Double, isRadioUsable: Bool = false,
    isOrdered: Bool = false
  ) {
    if wasAnswered, failure.reason == .closed || isOrdered { budget.giveBack() }
    if case .suspended = state { return }
    let isRadioUnavailable = failure.recovery == .waitForRadio && !isRadioUsable
    guard wasAnswered && failure.recovery != .retryLater || isRadioUnavailable else {
      return failed(failure, at: now, jitter: jitter, isRadioUsable: isRadioUsable)
    }
    refusals = 0
    lastFailure = failure
    if isRadioUnavailable {
      state = .radioUnavailable
      return
    }
    // What the radio's absence ended says nothing about the board's link.
    let isRadiosDoing =
      failure.recovery == .waitForRadio || lastRadioLoss.map { now - $0 < Self.radioLossWindow } ?? false
    let isLoss = failure.reason != .closed && !isOrdered && !isRadiosDoing
    losses = losses.filter { now - $0 < Self.flapWindow }
    if isLoss {
      lastLoss = (now, losses)
      losses.append(now)
    }
    guard isLoss, isFlapping else {
      // The adapter frees the slot a moment after the link went.
      let isGone = failure.reason == .deviceGone
      state = .backingOff(
        until: now + (isGone ? Self.rediscoveryDelay : .milliseconds(250)), needsAdvertisement: isGone)
      return
    }
    let doublings = min(losses.count - Self.flapLimit, 4)
    let delay = Duration.seconds(min(60 * (1 << doublings), 600))
    losses = losses.map { $0 + delay }
    state = .backingOff(until: now + delay, needsAdvertisement: false)
  }

  /// Whether the system should forget the board now, so that it is discovered anew: where the failure asks for it,
  /// and at most every half minute, because that is hard on the system (escalation ladder, rung 3).
  mutating func removes(after failure: LinkFailure, at now: Duration) -> Bool {
    guard failure.recovery == .rediscover else { return false }
    if let lastRemoval, now - lastRemoval < Self.removalPause { return false }
    lastRemoval = now
    return true
  }

  /// What the board was refused for is no longer asked of it: it is tried at once.
  mutating func reconsidered() {
    guard case .backingOff = state, lastFailure?.recovery == .retryLater else { return }
    (refusals, lastFailure, state) = (0, nil, .waitingForSlot)
  }

  /// The board restarts and may be something else by now: what was received of it before counts no more.
  mutating func awaitAdvertisement() {
    switch state {
    case .suspended, .radioUnavailable: break
    case .absent, .waitingForSlot, .connecting, .connected, .backingOff: state = .absent
    }
  }

  mutating func suspend(until: Duration) { state = .suspended(until: until) }

  /// The radio can be used again. A board that was heard just now, or that the system still holds connected, is not
  /// forgotten.
  mutating func radioReturned(at now: Duration) {
    guard state == .radioUnavailable else { return }
    // What was the matter is over.
    lastFailure = nil
    state =
      lastAdvertisement.map { now - $0 <= HeardBoard.freshness } == true ? .waitingForSlot : .absent
  }

  mutating func radioLost(_ failure: LinkFailure, at now: Duration) {
    lastRadioLoss = now
    if let lastLoss, now - lastLoss.time < Self.radioLossWindow { losses = lastLoss.before }
    lastLoss = nil
    switch state {
    case .suspended, .connected, .connecting: break
    case .absent, .waitingForSlot, .backingOff, .radioUnavailable:
      state = .radioUnavailable
      lastFailure = failure
    }
  }
}
