import FleetModel

@testable import Storage

/// The two halves of `exchange`, each alone.
extension Store {
  /// Takes messages; returns their ids in the same order.
  func append(_ messages: [OutboxMessage]) throws(StoreFailure) -> [OutboxRow.ID] {
    try changeOutbox { database, totals in try OutboxTable.append(messages, to: database, &totals) }
  }

  /// Settles acknowledged rows; returns their samples.
  @discardableResult
  func markDelivered(_ ids: [OutboxRow.ID], at time: Timestamp) throws(StoreFailure) -> Int {
    try exchange([], forDelivered: ids, at: time).samples
  }
}
