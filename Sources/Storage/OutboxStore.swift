package import FleetModel
internal import GRDB

/// The outbox as gauges show it.
package struct OutboxStatistics: Hashable, Sendable {
  package var waiting: OutboxAmount
  /// Parked after the broker's refusal.
  package var refused: OutboxAmount
  /// Delivered and kept for a replay.
  package var delivered: OutboxAmount
  /// When the oldest waiting message was made.
  package var oldest: Timestamp?
}

/// Messages on their way to the broker, in the order in which they are to be sent.
package struct OutboxStore: Sendable {
  let store: Store

  /// Takes messages and what is to be noted of `streams`, and marks the rows that the broker has acknowledged with
  /// success, in one transaction. Returns the samples of the acknowledged rows, and the ids of the messages. The
  /// history takes what was published without the disk, too, and the archive `samples` for exports.
  ///
  /// A retained topic has one row at most: a new message takes the place of the old one under a new id, also when the
  /// old one is on its way, whose acknowledgement then means nothing. Unknown, replaced and acknowledged ids are left
  /// out. Acknowledged replies and retained messages are deleted; the others stay for a replay until they are purged.
  package func exchange(
    _ messages: [OutboxMessage], forDelivered ids: [OutboxRow.ID],
    streams: StreamCheckpoints = StreamCheckpoints(), recording published: [HistoryEntry] = [],
    keeping samples: [SampleBatch] = [], at time: Timestamp
  ) async throws(StoreFailure) -> (samples: Int, rows: [OutboxRow.ID]) {
    try await store.change { database, memory in
      let delivered = ids.isEmpty ? 0 : try OutboxTable.deliver(ids, at: time, in: database, &memory.outbox)
      try OpenStreamTable.begin(streams.begun, in: database)
      let rows = try OutboxTable.append(messages, to: database, &memory)
      try HistoryTable.append(published, to: database, limit: memory.historyRows)
      for batch in samples { try KeptTable.insert(batch, in: database, &memory.kept) }
      try OpenStreamTable.end(streams.ended, in: database)
      return (delivered, rows)
    }
  }

  /// The next to hand to the broker: highest priority first, oldest first, without those on their way.
  package func waiting(limit: Int, excluding onTheirWay: Set<OutboxRow.ID> = []) async throws(StoreFailure)
    -> [OutboxRow]
  {
    try await store.read { try OutboxTable.waiting(limit: limit, excluding: onTheirWay, in: $0) }
  }

  /// The broker will not have these rows. They are parked, not lost, until `retryRefused`.
  package func markRefused(
    _ ids: [OutboxRow.ID], because reason: String, at time: Timestamp
  ) async throws(StoreFailure) {
    try await store.change { database, memory in
      for id in ids { try OutboxTable.park(id, because: reason, at: time, in: database, &memory.outbox) }
    }
  }

  /// Puts parked rows back in their old places, at most `limit`, what matters most first.
  package func retryRefused(limit: Int) async throws(StoreFailure) {
    try await store.change { database, memory in
      try OutboxTable.unpark(limit: limit, in: database, &memory.outbox)
    }
  }

  /// Cheap enough for every second: three index look-ups, whatever lies there.
  package func statistics() async throws(StoreFailure) -> OutboxStatistics {
    try await store.inspect { database, memory in
      let totals = memory.outbox
      return OutboxStatistics(
        waiting: totals.waiting, refused: totals.refused, delivered: totals.delivered,
        oldest: try OutboxTable.oldestWaiting(in: database))
    }
  }
}

extension Store {
  /// Messages on their way to the broker.
  package nonisolated var outbox: OutboxStore { OutboxStore(store: self) }
}
