import Dialects
import FleetModel

/// How and when the broker is connected next, by what became of the connections and attempts so far. Pure; times are
/// uptimes.
///
/// Only a connection that worked makes the next wait a short one again: to be let in and put out at once, be it by
/// another client of our name or by a broker in trouble, is no more worth than to be refused.
struct ConnectionPlan {
  /// What is known of the connection that is.
  private struct Connection {
    var subscribed: Duration?
    var acknowledged: Duration?

    /// Whether it did for so long what a connection is for.
    func hasWorked(at time: Duration) -> Bool {
      guard let subscribed, let acknowledged else { return false }
      return time - max(subscribed, acknowledged) >= BrokerLimits.proof
    }
  }

  /// As the file says it.
  private(set) var configuration: UplinkConfiguration
  private(set) var version: BrokerConnection.ProtocolVersion
  private var connection: Connection?
  /// Whether an attempt, or what came of it, goes on.
  private(set) var isUnderWay = false
  /// Whether no connection stood yet.
  private(set) var isFirst = true
  /// Attempts and connections in a row none of which worked.
  private(set) var failures = 0
  /// The last of them that the broker let in and put out without a word.
  private var unexplainedEnds = 0
  private var wait = Wait.growing

  private enum Wait { case none, growing, takeover }

  init(_ configuration: UplinkConfiguration) {
    self.configuration = configuration
    version = configuration.protocolChoice.first
  }

  /// Whether another client seems to have our name although nobody says so; for the first time in a row of ends.
  var isTakeoverSuspected: Bool { unexplainedEnds == BrokerLimits.endsOfTakeover }

  /// Whether the broker has let us in.
  var isOpen: Bool { connection != nil }

  /// Whether a connection is wanted without a wait.
  var isRenewal: Bool { wait == .none }

  /// An attempt begins.
  mutating func began() { (connection, isUnderWay, wait) = (nil, true, .growing) }

  /// The broker let us in.
  mutating func opened() { connection = Connection() }

  /// It agreed to our subscriptions, or to as many of them as it will.
  mutating func subscribed(at time: Duration) {
    if connection?.subscribed == nil { connection?.subscribed = time }
    isFirst = false
  }

  /// It acknowledged a message.
  mutating func acknowledged(at time: Duration) {
    if connection?.acknowledged == nil { connection?.acknowledged = time }
  }

  /// The connection has ended, or the attempt failed. Nothing follows from an end that `renew` asked for.
  mutating func ended(because failure: BrokerFailure, at time: Duration) {
    defer { (connection, isUnderWay) = (nil, false) }
    guard isUnderWay, !isRenewal else { return }
    if connection?.hasWorked(at: time) == true { (failures, unexplainedEnds) = (0, 0) }
    failures += 1
    wait = .growing
    switch failure {
    case .sessionTakenOver:
      unexplainedEnds = 0
      wait = .takeover
    case .closedByBroker where connection != nil:
      unexplainedEnds += 1
      if unexplainedEnds >= BrokerLimits.endsOfTakeover { wait = .takeover }
    case .unsupportedProtocol where configuration.protocolChoice == .automatic && version == .mqtt5:
      (version, wait) = (.mqtt311, .none)
      failures -= 1
    default: unexplainedEnds = 0
    }
  }

  /// Another connection is wanted at once: what it is made of has changed, so that nothing is known of it.
  mutating func renew(_ new: UplinkConfiguration) {
    (configuration, version) = (new, new.protocolChoice.first)
    (failures, unexplainedEnds, wait) = (0, 0, .none)
  }

  /// How long to wait before the next attempt; `jitter` is from 0 to 1.
  func pause(jitter: Double) -> Duration {
    switch wait {
    case .none: .zero
    case .growing: Self.delay(afterFailures: failures, jitter: jitter)
    case .takeover: BrokerLimits.takeoverPause
    }
  }

  /// Doubling, with jitter, for ever (fault F61).
  static func delay(afterFailures failures: Int, jitter: Double) -> Duration {
    let longest = BrokerLimits.longestRetryDelay.inSeconds
    let base = min(
      BrokerLimits.firstRetryDelay.inSeconds * Double(1 << min(max(failures - 1, 0), 16)), longest)
    return .milliseconds(Int64(base * (0.5 + 0.5 * jitter) * 1000))
  }

  /// What is said where another client seems to have our name.
  func suspicion(of gateway: String) -> String {
    "the broker ended \(BrokerLimits.endsOfTakeover) connections in a row soon after they began, without saying why: "
      + "most likely another client connects with our client id \(PrintableText.quoted(configuration.clientID(of: gateway))); give each gateway "
      + "its own mqtt.client_id, or see the broker's log"
  }
}

extension UplinkConfiguration.ProtocolChoice {
  /// The version that is tried first.
  fileprivate var first: BrokerConnection.ProtocolVersion { self == .mqtt311 ? .mqtt311 : .mqtt5 }
}
