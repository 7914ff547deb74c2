import FleetModel

/// Since when nothing stands between the fleet and those who look at it: the daemon runs, has its broker, and the
/// broker loses nothing.
struct Clearness: Sendable {
  private var isRunning = false
  private var isOnline = false
  private var brokerFaults = 0
  private(set) var since: Duration?
  /// When the daemon that runs was started.
  private(set) var started: Duration?

  mutating func observe(_ observation: Observation, at uptime: Duration) {
    switch observation {
    case .started:
      isRunning = true
      started = uptime
    case .ended:
      isRunning = false
      started = nil
    case .published(let publication) where publication.isGatewayAvailability:
      isOnline = publication.document?["state"] == "online"
    case .fault(let fault): if Self.blinds(fault) { brokerFaults += 1 }
    case .cured(let fault):
      if Self.blinds(fault) { brokerFaults -= 1 }
      if case .brokerRefuses = fault { offeredAgain = uptime + Self.retry }
    case .calm: brokerFaults = 0
    default: return
    }
    if !isRunning || !isOnline || brokerFaults > 0 {
      since = nil
    } else if since == nil {
      since = max(uptime, offeredAgain)
    } else {
      since = since.map { max($0, offeredAgain) }
    }
  }

  /// What was refused is offered again that late.
  private static let retry = Duration.seconds(35)
  private var offeredAgain = Duration.zero

  /// Whether it has been so for so long.
  func isClear(for span: Duration, at uptime: Duration) -> Bool { since.map { uptime - $0 > span } ?? false }

  private static func blinds(_ fault: SeededFault) -> Bool {
    switch fault {
    case .brokerRefuses, .brokerMute, .brokerSwallows: true
    default: false
    }
  }
}
