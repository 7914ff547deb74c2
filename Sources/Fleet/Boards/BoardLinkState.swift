import BoardKit
import FleetModel

/// A supervisor's link to its board: the one that is there, or what is known of the next.
struct BoardLinkState {
  /// When to try.
  var machine = ConnectionMachine()
  /// Looks after the link that is up.
  var session: BoardSession?
  /// Whether commands can be given to it.
  var isReady = false
  /// Let go of until it is taken up again.
  var isReleased = false
  /// A board whose link flaps is asked for a sturdier one; once per spell is enough.
  var hasRelaxed = false
  /// Where the streams of earlier links ended.
  var ends: StreamEnds
  /// Whether the board was reset between this link and the last one.
  var resetSinceLast = false
  /// How strong the board was when it was last heard.
  var signal: HeardSignal?
  /// Whether the store took no page of its log the last time.
  var isArchiveRefused = false
  /// Rung to give up an attempt; a new one for each, since a sleeper's cancellation spends an alarm.
  var abort = Alarm()
  /// Whoever waits for the end of the link.
  var endWaiters: [CheckedContinuation<Void, Never>] = []

  init(ends: StreamEnds) { self.ends = ends }

  /// A session looks after a link that is up.
  mutating func began(_ session: BoardSession) {
    machine.linkUp()
    (self.session, isReady, hasRelaxed) = (session, false, machine.isFlapping)
  }

  /// It is over; `ends` is where its streams ended.
  mutating func ended(
    _ end: SessionEnd, _ ends: StreamEnds, at uptime: Duration, jitter: Double, isRadioUsable: Bool
  ) {
    (session, isReady, self.ends) = (nil, false, ends)
    machine.linkEnded(
      end.failure, wasAnswered: end.wasAnswered, at: uptime, jitter: jitter, isRadioUsable: isRadioUsable,
      isOrdered: end.isOrdered)
    for waiter in endWaiters { waiter.resume() }
    endWaiters = []
  }

  /// Whether nobody can connect before a command expires; one that waits for the next contact waits for the end of a hold.
  func cannotConnect(isPatient: Bool, isEnabled: Bool) -> Bool {
    if case .held = machine.state { return !isPatient }
    return !isEnabled
  }

  /// Why a command did not begin before it expired. `isBusy`: other commands were before it.
  func noLink(isBusy: Bool, isEnabled: Bool, isRadioUsable: Bool) -> CommandFailure {
    if isReady || isBusy {
      return CommandFailure(.expired, "other commands were before it until it expired")
    }
    if case .held = machine.state {
      return CommandFailure(.unreachable, "the board is kept apart on request; wait until its hold ends")
    }
    guard isEnabled else {
      return CommandFailure(.unreachable, "the board is disabled in the configuration")
    }
    if isReleased { return CommandFailure(.unreachable, StandingRule.drained) }
    // It is there: what it lacks is ours.
    if case .wanting = machine.state, isRadioUsable {
      return CommandFailure(.expired, "the board waited for a free link until the command expired")
    }
    let why = machine.lastFailure?.message ?? "it was not heard"
    return CommandFailure(.unreachable, "no link to the board before the command expired: \(why)")
  }
}
