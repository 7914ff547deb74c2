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
  /// The same of those that were refused, and why that one was; nil where none is.
  package var oldestRefused: Timestamp?
  package var refusalReason: String?

  package init(
    waiting: OutboxAmount, refused: OutboxAmount, delivered: OutboxAmount, oldest: Timestamp? = nil,
    oldestRefused: Timestamp? = nil, refusalReason: String? = nil
  ) {
    (self.waiting, self.refused, self.delivered) = (waiting, refused, delivered)
    (self.oldest, self.oldestRefused, self.refusalReason) = (oldest, oldestRefused, refusalReason)
  }
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

  /// Puts parked rows back in their old places, at most `limit`, those that were refused longest ago first: rows that
  /// are refused for ever keep no others waiting. Those that were refused later than `now` come before all: the clock
  /// was set back since. Returns how many.
  @discardableResult
  package func retryRefused(limit: Int, at now: Timestamp) async throws(StoreFailure) -> Int {
    // Nothing is written, and no disk is waited for, where there is nothing.
    guard try await store.inspect({ $1.outbox.refused.messages }) > 0 else { return 0 }
    return try await store.change { database, memory in
      try OutboxTable.unpark(limit: limit, at: now, in: database, &memory.outbox)
    }
  }

  /// Retained topics on which something waits for the broker, or has arrived there without our having noted it.
  package func waitingRetainedTopics() async throws(StoreFailure) -> [(id: OutboxRow.ID, topic: String)] {
    try await store.read { database in
      try Row.fetchAll(database, sql: "SELECT id, topic FROM outbox WHERE is_retained = 1 AND state = 0")
        .map { ($0["id"], $0["topic"]) }
    }
  }

  /// Cheap enough for every second: three index look-ups, whatever lies there.
  package func statistics() async throws(StoreFailure) -> OutboxStatistics {
    try await store.inspect { database, memory in
      let totals = memory.outbox
      let refused = try totals.refused.messages > 0 ? OutboxTable.oldest(.refused, in: database) : nil
      return OutboxStatistics(
        waiting: totals.waiting, refused: totals.refused, delivered: totals.delivered,
        oldest: try OutboxTable.oldest(.waiting, in: database)?.created,
        oldestRefused: refused?.created, refusalReason: refused?.reason)
    }
  }
}

extension Store {
  /// Messages on their way to the broker.
  package nonisolated var outbox: OutboxStore { OutboxStore(store: self) }
}
