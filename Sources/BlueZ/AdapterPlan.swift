import DBus

/// What one adapter needs next so that it is powered, and discovers or rests as wished. Asked again whenever
/// something may have changed.
struct AdapterPlan: Sendable {
  /// What to look for.
  enum DiscoveryRequest: Hashable, Sendable {
    /// Devices that advertise our services.
    case ours
    /// Everything that is near.
    case everything
  }

  enum Step: Hashable, Sendable {
    case powerOn
    /// Set the filter and start discovery; `afterStop`: whatever there is must be stopped first.
    case start(DiscoveryRequest, afterStop: Bool)
    /// The same for a discovery that went deaf, which is told.
    case restart(DiscoveryRequest)
    /// Set the filter of a running discovery.
    case refine(DiscoveryRequest)
    case stop
    /// Read the adapter's properties.
    case refresh
    /// Wait for a change, at most so long; nil for no limit.
    case wait(Duration?)
  }

  private let policy: BlueZPolicy
  /// Our discovery session, as far as we know.
  private var session: DiscoveryRequest?
  /// Time on the adapter's own scale, like `now` below.
  private var sessionSince = Duration.zero
  private var lastRefresh = Duration.zero
  private var isSessionDoubtful = false
  private var isStarting = false
  /// How long the adapter may take to show that it discovers; longer after each time it did not.
  private var grace: Duration
  private var nextPowerOn = Duration.zero
  private var hasAskedForPower = false
  private var nextStart = Duration.zero
  private var silence: ScanSilence
  /// Whether somebody switches it off and on right now, and is not to be disturbed.
  private var isBeingReset = false
  /// Why the adapter could not be switched on.
  private(set) var blockage: String?

  init(policy: BlueZPolicy) {
    self.policy = policy
    grace = policy.quiet
    silence = ScanSilence(limit: policy.deaf)
  }

  /// No discovery session of ours is in the way of connecting.
  var isQuiet: Bool { session == nil && !isStarting }

  /// `discovery` is nil when discovery is not wanted or has to pause; `isMissing`: whether boards are missing that may
  /// be received. `now` is monotonic.
  mutating func step(
    _ adapter: AdapterObject, discovery: DiscoveryRequest?, isMissing: Bool = false, now: Duration
  ) -> Step {
    if isBeingReset { return .wait(nil) }
    guard adapter.isPowered else {
      // Sessions end with the power.
      session = nil
      guard now >= nextPowerOn else { return .wait(nextPowerOn - now) }
      if hasAskedForPower, blockage == nil {
        blockage = "it stays off after being switched on; see rfkill list bluetooth"
      }
      hasAskedForPower = true
      return .powerOn
    }
    blockage = nil
    nextPowerOn = .zero
    hasAskedForPower = false
    guard let discovery else {
      guard session != nil else { return .wait(nil) }
      let heard = sessionSince + policy.listen
      return now >= heard ? .stop : .wait(heard - now)
    }
    guard let session else {
      guard now >= nextStart else { return .wait(nextStart - now) }
      isStarting = true
      return .start(discovery, afterStop: isSessionDoubtful)
    }
    let verdict = silence.judge(isMissing: isMissing, scanningSince: sessionSince, at: now)
    if adapter.isDiscovering, verdict == .deaf {
      silence.restarted()
      return .restart(discovery)
    }
    let request = verdict.isDoubtful ? .everything : discovery
    if session != request { return .refine(request) }
    if adapter.isDiscovering {
      grace = policy.quiet
      let due = max(sessionSince, lastRefresh) + policy.verify
      return now >= due ? .refresh : .wait(min(due, verdict.end ?? due) - now)
    }
    // It says so a moment after the reply; later it means that discovery ended by itself (fault F19).
    let due = sessionSince + grace
    if now < due { return .wait(due - now) }
    if lastRefresh < due { return .refresh }
    grace = policy.verify
    return .start(discovery, afterStop: true)
  }

  /// The adapter goes off, and on again, and its sessions with it; nothing is to be done about that.
  mutating func beganReset() { isBeingReset = true }

  /// The adapter is left to the plan again, which switches it on if nobody else has.
  mutating func endedReset() {
    isBeingReset = false
    (session, isStarting, isSessionDoubtful) = (nil, false, false)
    (nextPowerOn, nextStart) = (.zero, .zero)
  }

  mutating func poweredOn(_ outcome: DBusConnection.Outcome, now: Duration) {
    // Also after a success: if it is off all the same, asking at once would not help.
    nextPowerOn = now + policy.recheck
    if case .failure(let failure) = outcome { blockage = failure.description }
  }

  mutating func started(_ discovery: DiscoveryRequest, _ outcome: DBusConnection.Outcome, now: Duration) {
    isStarting = false
    switch outcome {
    case .success:
      session = discovery
      sessionSince = now
      isSessionDoubtful = false
      nextStart = .zero
    case .failure(let failure):
      session = nil
      // A session that we do not know of is stopped and begun anew, at once the first time.
      let isFirst = failure.isDiscoveryInProgress && !isSessionDoubtful
      isSessionDoubtful = isSessionDoubtful || failure.isDiscoveryInProgress || failure.isUnanswered
      nextStart = isFirst ? now : now + policy.quiet
    }
  }

  mutating func refined(_ discovery: DiscoveryRequest, _ outcome: DBusConnection.Outcome) {
    if case .success = outcome { session = discovery } else { (session, isSessionDoubtful) = (nil, true) }
  }

  mutating func stopped(_ outcome: DBusConnection.Outcome) {
    session = nil
    if case .failure(let failure) = outcome { isSessionDoubtful = !failure.isNoDiscoverySession }
  }

  /// An advertisement came over the adapter. Returns whether the plan should be asked again because of that.
  mutating func received(now: Duration) -> Bool { silence.received(at: now) }

  mutating func refreshed(now: Duration) { lastRefresh = now }
}

extension DBusFailure {
  fileprivate var isUnanswered: Bool { if case .timedOut = self { true } else { false } }
}
