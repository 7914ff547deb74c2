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
  var isDrained = false
  /// A board whose link flaps is asked for a sturdier one; once per spell is enough.
  var hasRequestedConservativeParameters = false
  /// Where the streams of earlier links ended.
  var ends: StreamEnds
  /// Whether the board was reset between this link and the last one.
  private(set) var resetSinceLast = false
  /// Whether a restart was ordered since the board last answered.
  var isResetOrdered = false
  /// How strong the board's last advertisements were, and which adapter holds the board.
  private var signals = BoardSignals()
  private var holder: AdapterID?
  /// Whether the store took no page of its log the last time.
  var isArchiveRefused = false
  /// Woken to give up an attempt; a new one for each, since a sleeper's cancellation spends it.
  var abort = TaskWaker()
  /// Whoever waits for the end of the link.
  var endWaiters: [CheckedContinuation<Void, Never>] = []

  init(ends: StreamEnds) { self.ends = ends }

  /// A session looks after a link that is up over `adapter`.
  mutating func began(_ session: BoardSession, on adapter: AdapterID) {
    machine.linkUp()
    (self.session, isReady, hasRequestedConservativeParameters) = (session, false, machine.isFlapping)
    holder = adapter
  }

  /// The board answered. Returns how the event tells of its reset, nil where it was not reset: one that was ordered, or
  /// belongs to an update, is no fault (MQTT contract 5).
  mutating func answered(hasReset: Bool, isUpdating: Bool) -> String? {
    machine.answered()
    let isOrdered = isResetOrdered || isUpdating
    (resetSinceLast, isResetOrdered) = (hasReset, false)
    guard hasReset else { return nil }
    return isOrdered ? "commanded" : "unexpected"
  }

  /// An advertisement of the board was received. Returns how strong the board is by now.
  mutating func advertised(_ report: AdvertisementReport, at uptime: Duration) -> Int? {
    if let strength = report.rssi {
      signals.advertised(by: report.adapter, RSSIReading(strength: strength, at: uptime))
    }
    return signal(at: uptime)?.strength
  }

  /// How strong the board is: for the adapter that holds it, if one does.
  func signal(at uptime: Duration) -> RSSIReading? { signals.reading(heldBy: holder, at: uptime) }

  /// Whether the link is over another adapter than the one that the board must use.
  func isElsewhere(than pin: AdapterID?) -> Bool { holder.map { Self.isElsewhere($0, than: pin) } ?? false }

  static func isElsewhere(_ holder: AdapterID, than pin: AdapterID?) -> Bool { pin != nil && holder != pin }

  /// It is over; `ends` is where its streams ended.
  mutating func ended(
    _ end: SessionEnd, _ ends: StreamEnds, at uptime: Duration, jitter: Double, isRadioUsable: Bool
  ) {
    (session, isReady, self.ends, holder) = (nil, false, ends, nil)
    machine.linkEnded(
      end.failure, wasAnswered: end.wasAnswered, at: uptime, jitter: jitter, isRadioUsable: isRadioUsable,
      isOrdered: end.isOrdered)
    for waiter in endWaiters { waiter.resume() }
    endWaiters = []
  }

  /// Whether nobody can connect before a command expires; one that waits for the next contact waits for the end of a
  /// hold.
  func cannotConnect(isQueued: Bool, isEnabled: Bool) -> Bool { isSuspended ? !isQueued : !isEnabled }

  /// Whether the board is kept apart for a time.
  var isSuspended: Bool {
    if case .suspended = machine.state { true } else { false }
  }

  /// Why a command did not begin before it expired. `isBusy`: other commands were before it.
  func noLink(isBusy: Bool, isEnabled: Bool, isRadioUsable: Bool) -> CommandFailure {
    if isReady || isBusy {
      return CommandFailure(.expired, "it expired while other commands of the board were running")
    }
    if isSuspended {
      return CommandFailure(
        .unreachable,
        "the board is disconnected on request; wait until that time is over, or end it: disconnect hold_s=0")
    }
    guard isEnabled else {
      return CommandFailure(.unreachable, "the board is disabled (enabled: false); metafleet admit --enabled")
    }
    if isDrained { return CommandFailure(.unreachable, LinkPhaseRule.drained) }
    // It is there: what it lacks is ours.
    if case .waitingForSlot = machine.state, isRadioUsable {
      return CommandFailure(.expired, "the command expired while the board waited for a free connection slot")
    }
    let why = machine.lastFailure?.message ?? "no advertisements received"
    return CommandFailure(.unreachable, "no connection to the board before the command expired: \(why)")
  }
}
