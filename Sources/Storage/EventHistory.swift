package import FleetModel
internal import GRDB

/// What happened: events as they were published, and how commands ended. Written with the outbox; see
/// `OutboxMessage.history`.
package struct EventHistory: Sendable {
  let store: Store

  /// Which of it somebody wants.
  package struct Choice: Hashable, Sendable {
    /// About one board.
    package var board: BoardID?
    /// About one adapter, as topics have it.
    package var adapter: String?
    /// The gateway's alone.
    package var isOfGateway = false
    /// Of these kinds; of all where it is empty.
    package var kinds: [String] = []

    package init() {}
  }

  /// A part of the history.
  package struct Page: Hashable, Sendable {
    /// By time, and of one time in the order of publication.
    package var entries: [HistoryEntry] = []
    /// Where the next page begins.
    package var end: Int64 = 0
    /// Of a page behind another one: how many entries in between were removed before they were read, chosen or not.
    package var removed = 0
    /// Of the latest entries: whether there are older ones that were asked for.
    package var hasOlder = false

    package init() {}
  }

  /// Removes at most `batch` entries: those beyond the limit of `Store.keepHistory`, and those that happened before
  /// `limit`. Returns how many, so call again while it is any.
  package func purge(
    before limit: Timestamp, now: Timestamp, batch: Int = 1_000
  ) async throws(StoreFailure) -> Int {
    try await store.change(frees: true) { database, memory in
      let before = database.totalChangesCount
      try HistoryTable.removeSurplus(over: memory.historyRows, atMost: batch, in: database)
      try HistoryTable.forget(before: limit, now: now, batch: batch, in: database)
      return database.totalChangesCount - before
    }
  }

  /// As `ArchiveReader.latestEvents`.
  package func latest(
    _ choice: Choice = Choice(), since: Timestamp? = nil, limit: Int
  ) async throws(StoreFailure) -> Page {
    try await store.read { try Page(latest: choice, since: since, limit: limit, in: $0) }
  }
}

extension Store {
  /// What happened.
  package nonisolated var history: EventHistory { EventHistory(store: self) }
}

extension ArchiveReader {
  /// The latest `limit` events that happened at `since` or later. Empty for a database of a version without a history.
  package func latestEvents(
    _ choice: EventHistory.Choice, since: Timestamp? = nil, limit: Int
  ) throws(StoreFailure) -> EventHistory.Page {
    try read {
      guard try $0.tableExists("event") else { return EventHistory.Page() }
      return try EventHistory.Page(latest: choice, since: since, limit: limit, in: $0)
    }
  }

  /// What was recorded since a page ended.
  package func events(
    _ choice: EventHistory.Choice, behind end: Int64
  ) throws(StoreFailure) -> EventHistory.Page {
    try read {
      guard try $0.tableExists("event") else { return EventHistory.Page() }
      return try EventHistory.Page(choice, behind: end, in: $0)
    }
  }

  /// Adapters that events are about.
  package func adaptersOfEvents() throws(StoreFailure) -> [String] {
    try read {
      guard try $0.tableExists("event") else { return [] }
      return try String.fetchAll(
        $0, sql: "SELECT DISTINCT adapter FROM event WHERE adapter IS NOT NULL ORDER BY adapter")
    }
  }
}

extension EventHistory.Page {
  fileprivate init(
    latest choice: EventHistory.Choice, since: Timestamp?, limit: Int, in database: Database
  ) throws {
    let rows = try Row.fetchAll(
      database, sql: HistoryQuery.latest,
      arguments: choice.arguments + [since?.nanoseconds ?? .min, limit + 1])
    entries = rows.prefix(limit).reversed().map(HistoryTable.entry)
    end = try HistoryTable.last(in: database)
    hasOlder = rows.count > limit
  }

  fileprivate init(_ choice: EventHistory.Choice, behind end: Int64, in database: Database) throws {
    let last = try HistoryTable.last(in: database)
    // Another database stands in the place of the one that was read.
    let start = last < end ? 0 : end
    entries = try Row.fetchAll(
      database, sql: HistoryQuery.later, arguments: choice.arguments + [start]
    ).map(HistoryTable.entry)
    removed = max(0, Int(clamping: (try HistoryTable.first(in: database) ?? last + 1) - start - 1))
    self.end = last
  }
}

extension EventHistory.Choice {
  fileprivate var arguments: StatementArguments {
    let list = kinds.isEmpty ? nil : JSONWriter.text(of: .array(kinds.map { .string($0) }))
    return [board?.description, adapter, isOfGateway, list]
  }
}
