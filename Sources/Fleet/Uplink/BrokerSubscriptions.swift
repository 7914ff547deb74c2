import Dialects
import Logging

/// Asks the broker for subscriptions, and names those that it does not grant. Confined to its uplink.
final class BrokerSubscriptions {
  private let environment: UplinkEnvironment
  /// Topics that the broker does not let us hear.
  private var refused: [String] = []

  init(_ environment: UplinkEnvironment) { self.environment = environment }

  /// What it does not let us hear is named, and all else goes on. Throws where the connection is of no use.
  func hear(_ subscriptions: [Subscription]) async throws(BrokerFailure) {
    for subscription in subscriptions {
      let filter = subscription.filter
      do throws(BrokerFailure) {
        try await environment.broker.subscribe(to: [subscription])
        guard let index = refused.firstIndex(of: filter) else { continue }
        refused.remove(at: index)
      } catch {
        guard error.isOfOneRequest else { throw error }
        if refused.contains(filter) { continue }
        refused.append(filter)
        environment.log.error(
          "the broker refuses a subscription; what is sent there does not arrive",
          metadata: ["topic": "\(filter)", "reason": "\(error)"])
      }
      await environment.handlers.connection(.notGranted(refused))
    }
  }

  /// What Home Assistant says, which a broker need not grant: without it all else goes on. Throws where the
  /// connection is of no use.
  func hearHomeAssistant(_ subscriptions: [Subscription]) async throws(BrokerFailure) {
    guard !subscriptions.isEmpty else { return }
    do throws(BrokerFailure) { try await environment.broker.subscribe(to: subscriptions) } catch {
      guard error.isOfOneRequest else { throw error }
      environment.log.warning(
        "the broker does not grant a subscription for Home Assistant; its access list must grant reading it",
        metadata: [
          "topics": "\(subscriptions.map(\.filter).joined(separator: ", "))", "reason": "\(error)",
        ])
    }
  }
}
