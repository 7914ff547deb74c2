import FleetModel

@testable import Storage

/// The two halves of `exchange`, each alone.
extension OutboxStore {
  /// Takes messages; returns their ids in the same order.
  func append(_ messages: [OutboxMessage]) async throws(StoreFailure) -> [OutboxRow.ID] {
    try await store.change { database, memory in
      try OutboxTable.append(messages, to: database, &memory)
    }
  }

  /// Marks acknowledged rows; returns their samples.
  @discardableResult
  func markDelivered(_ ids: [OutboxRow.ID], at time: Timestamp) async throws(StoreFailure) -> Int {
    try await exchange([], forDelivered: ids, at: time).samples
  }
}
