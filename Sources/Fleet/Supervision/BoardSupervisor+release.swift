import BoardKit
import FleetModel

/// Letting go of a board for a while, and taking it up again.
extension BoardSupervisor {
  /// How long a session may take to come to a safe point.
  private static let patience = Duration.seconds(60)

  /// No link from now on. Returns when the one there is has ended, at a safe point; whether there was one.
  func release() async -> Bool {
    isReleased = true
    abortAlarm.ring()
    linkAlarm.ring()
    dutyAlarm.ring()
    await environment.airtime.withdraw(board)
    guard let session else { return false }
    await session.closeSoftly(within: Self.patience, isGatewayStopping: false)
    while self.session === session {
      do { try await environment.timekeeper.sleep(for: .milliseconds(50)) } catch { break }
    }
    return true
  }

  /// Links again.
  func takeUp() {
    isReleased = false
    linkAlarm.ring()
    dutyAlarm.ring()
  }

  /// Whether a packet came over a link on `adapter` within `span`.
  func hasDelivered(on adapter: AdapterID, within span: Duration) -> Bool {
    guard let session, session.link.adapter == adapter, facts.isAnswering else { return false }
    return facts.lastSeen.map { uptime - $0 < span } ?? false
  }
}
