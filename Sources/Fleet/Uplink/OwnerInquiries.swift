import Dialects
import FleetModel

/// Asks the broker whose boards are, and whether there are other gateways: subscribes for a moment, in which retained
/// messages come. Not to be waited for by who takes the broker's messages: the answer comes by one. Confined to its
/// uplink.
final class OwnerInquiries {
  private let environment: UplinkEnvironment
  /// Hears others on the same topics, which ends with our subscription.
  private let repair: RetainedRepair
  /// Told of what comes.
  var queries = OwnerQueries()

  init(_ environment: UplinkEnvironment, repair: RetainedRepair) {
    (self.environment, self.repair) = (environment, repair)
  }

  /// Whether another gateway has published documents of a board.
  func isOwnedElsewhere(_ board: BoardID) async -> Bool {
    queries.begin(board)
    let topics = environment.dialect.identityTopics(of: board)
    await listen(to: topics) { $0.isLast(board) }
    return queries.end(board).map { $0 != environment.gateway } ?? false
  }

  /// Whether other gateways have ever spoken on this broker.
  func isAmongOthers() async -> Bool {
    queries.beginGateways()
    await listen(to: environment.dialect.gatewayFilters) { $0.isLastForGateways }
    return queries.endGateways()
  }

  /// The last who asks ends it.
  private func listen(to topics: [String], until isLast: (OwnerQueries) -> Bool) async {
    do throws(BrokerFailure) {
      try await environment.broker.subscribe(to: topics.map { Subscription($0) })
      do { try await environment.timekeeper.sleep(for: BrokerLimits.retainedTime) } catch {}
      guard isLast(queries) else { return }
      try await environment.broker.unsubscribe(from: topics)
      repair.lost(topics)
    } catch {}
  }
}
