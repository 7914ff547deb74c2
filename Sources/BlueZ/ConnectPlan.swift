import BoardKit
import DBus
import FleetModel

/// What to do next while a device is being connected, from what can be seen now. It is asked again whenever
/// something may have changed, and relies on no signal: BlueZ leaves out some, and a fake may leave out all.
///
///     call ──▶ reply, or Connected ──▶ our characteristics ──▶ a last refresh ──▶ ready
///      │ in progress: cancel the older attempt, once, and call again (fault F01)
///      └ error, link gone, limit over ──▶ failed
struct ConnectPlan: Sendable {
  enum Step: Hashable, Sendable {
    /// Call Connect.
    case call
    /// Call Disconnect, wait until the device is down, and ask again.
    case cancelOlder
    /// Read the device's properties: a signal may have been missed.
    case refresh
    /// List all objects: characteristics may have been missed.
    case list
    /// Wait for a change, at most so long.
    case wait(Duration)
    case ready
    /// `removal`: make BlueZ forget the device, or it would fail for ever.
    case failed(LinkFailure, removal: Bool = false)
  }

  /// What can be seen of the device.
  struct View: Hashable, Sendable {
    var isConnected: Bool
    var isResolved: Bool
    var hasCharacteristics: Bool
  }

  private let limit: Duration
  private let policy: BlueZPolicy
  private var isCalled = false
  private var hasCancelledOlder = false
  private var reply: DBusConnection.Outcome?
  private var hasRefreshed = false
  private var hasListed = false
  private var hasSeenAll = false
  private var lastRefresh = Duration.zero
  private var connectedSince: Duration?
  private var goneSince: Duration?

  init(limit: Duration, policy: BlueZPolicy) {
    self.limit = limit
    self.policy = policy
  }

  /// Whether a Connect is under way in BlueZ.
  var isPending: Bool { isCalled && reply == nil }

  mutating func replied(_ outcome: DBusConnection.Outcome) { if isPending { reply = outcome } }

  /// `device` is nil when BlueZ no longer has it; `elapsed` counts from the start.
  mutating func step(_ device: View?, elapsed: Duration) -> Step {
    guard let device else { return .failed(LinkFailure(.deviceGone, "BlueZ removed the device")) }
    guard isCalled else {
      isCalled = true
      lastRefresh = elapsed
      return .call
    }
    if case .failure(let failure) = reply { return refused(failure) }
    if elapsed >= limit { return .failed(timeOut) }
    return device.isConnected ? up(device, elapsed) : down(elapsed)
  }

  private mutating func refused(_ failure: DBusFailure) -> Step {
    let meaning = BlueZFailures.meaning(of: failure, while: .connecting)
    guard failure.isConnectInProgress else { return .failed(meaning) }
    if hasCancelledOlder { return .failed(meaning, removal: true) }
    hasCancelledOlder = true
    isCalled = false
    reply = nil
    return .cancelOlder
  }

  private mutating func up(_ device: View, _ elapsed: Duration) -> Step {
    goneSince = nil
    let since = connectedSince ?? elapsed
    connectedSince = since
    if device.isResolved, device.hasCharacteristics { return hasSeenAll ? .ready : recheck(elapsed) }
    if elapsed >= since + policy.services {
      let what =
        device.isResolved
        ? "the board does not have the expected characteristics"
        : "BlueZ did not resolve the board's services"
      return .failed(LinkFailure(.servicesMissing, what))
    }
    if device.isResolved, !hasListed {
      hasListed = true
      return .list
    }
    return checkOrWait(elapsed, until: min(limit, since + policy.services))
  }

  /// BlueZ keeps its signals in order for each object only, so that services may count as resolved before the last
  /// characteristic is announced. Before it answers a call it sends every signal that is due.
  private mutating func recheck(_ elapsed: Duration) -> Step {
    hasSeenAll = true
    lastRefresh = elapsed
    return .refresh
  }

  private mutating func down(_ elapsed: Duration) -> Step {
    let lost = LinkFailure(.linkLost, "the connection was lost before the services were resolved")
    // The reply says it was connected. Trust it only after a refresh, and not for long.
    if case .success = reply, hasRefreshed { return .failed(lost) }
    if connectedSince != nil {
      // Up and down again without a word: the error may still follow.
      let since = goneSince ?? elapsed
      goneSince = since
      if elapsed >= since + policy.quiet { return .failed(lost) }
      return checkOrWait(elapsed, until: min(limit, since + policy.quiet))
    }
    return checkOrWait(elapsed, until: limit)
  }

  private mutating func checkOrWait(_ elapsed: Duration, until end: Duration) -> Step {
    if elapsed >= lastRefresh + policy.refreshInterval || isFirstRefreshDue {
      lastRefresh = elapsed
      if reply != nil { hasRefreshed = true }
      return .refresh
    }
    return .wait(min(end, lastRefresh + policy.refreshInterval) - elapsed)
  }

  /// Right after the reply, because BlueZ sometimes does not announce Connected at all.
  private var isFirstRefreshDue: Bool { reply != nil && !hasRefreshed }

  private var timeOut: LinkFailure {
    connectedSince == nil
      ? LinkFailure(.unreachable, "the board did not answer within \(DurationText.rounded(limit))")
      : LinkFailure(.timedOut, "the connection was not ready within \(DurationText.rounded(limit))")
  }
}
