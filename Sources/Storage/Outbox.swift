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

extension Store {
  /// Takes messages and what is to be noted of `streams`, and settles the rows that the broker has acknowledged with
  /// success, in one transaction. Returns the samples of the rows settled, and the ids of the messages.
  ///
  /// A retained topic has one row at most: a new message takes the place of the old one under a new id, also when the
  /// old one is on its way, whose acknowledgement then means nothing. Unknown, replaced and settled ids are left out.
  /// Settled replies and retained messages are deleted; the others stay for a replay until they are purged.
  package func exchange(
    _ messages: [OutboxMessage], forDelivered ids: [OutboxRow.ID], streams: StreamMarks = StreamMarks(),
    at time: Timestamp
  ) throws(StoreFailure) -> (samples: Int, rows: [OutboxRow.ID]) {
    try changeOutbox { database, totals in
      let samples = ids.isEmpty ? 0 : try OutboxTable.deliver(ids, at: time, in: database, &totals)
      try OpenStreamTable.begin(streams.begun, in: database)
      let rows = try OutboxTable.append(messages, to: database, &totals)
      try OpenStreamTable.end(streams.ended, in: database)
      return (samples, rows)
    }
  }

  /// The next to hand to the broker: highest priority first, oldest first, without those on their way.
  package func waiting(limit: Int, excluding onTheirWay: Set<OutboxRow.ID> = []) throws(StoreFailure)
    -> [OutboxRow]
  {
    try read { try OutboxTable.waiting(limit: limit, excluding: onTheirWay, in: $0) }
  }

  /// The broker will not have these rows. They are parked, not lost, until `retryRefused`.
  package func markRefused(
    _ ids: [OutboxRow.ID], because reason: String, at time: Timestamp
  ) throws(StoreFailure) {
    try changeOutbox { database, totals in
      for id in ids { try OutboxTable.park(id, because: reason, at: time, in: database, &totals) }
    }
  }

  /// Puts parked rows back in their old places, at most `limit`, what matters most first.
  package func retryRefused(limit: Int) throws(StoreFailure) {
    try changeOutbox { database, totals in try OutboxTable.unpark(limit: limit, in: database, &totals) }
  }

  /// Cheap enough for every second: three index look-ups, whatever lies there.
  package func outboxStatistics() throws(StoreFailure) -> OutboxStatistics {
    let oldest = try read { try OutboxTable.oldestWaiting(in: $0) }
    return OutboxStatistics(
      waiting: totals.waiting, refused: totals.refused, delivered: totals.delivered, oldest: oldest)
  }

  /// A transaction that may change the totals, which follow only when it is on the disk. `frees`: it deletes.
  func changeOutbox<Value>(
    frees: Bool = false, _ body: (Database, inout OutboxTotals) throws -> Value
  ) throws(StoreFailure) -> Value {
    var changed = totals
    let value = try write(frees: frees) { try body($0, &changed) }
    totals = changed
    return value
  }
}
