internal import FleetModel
internal import FoundationEssentials
internal import GRDB

/// The statements about kept streams, to be run inside the transaction of whoever writes more than these.
enum KeptTable {
  /// Keeps the samples of a batch under its session, which they may begin.
  static func insert(_ batch: SampleBatch, in database: Database, _ amount: inout KeptAmount) throws {
    guard let first = batch.times.first, let last = batch.times.last else { return }
    let content = KeptSamplesCoding.encode(batch)
    try database.executeCached(
      sql: """
        INSERT INTO kept_stream (id, board, stream, boot, fields) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING
        """,
      arguments: [
        batch.session.description, batch.board.description, batch.stream, batch.boot,
        Data(StoredFields.encode(batch.fields)),
      ])
    let doubts = QualityReason.allCases.filter(batch.doubts.contains).map(\.rawValue)
    try database.executeCached(
      sql: """
        INSERT INTO kept_samples (session, sequence, samples, bytes, gap_before, from_ns, to_ns, clock, error_ms, doubts,
          content) SELECT number, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM kept_stream WHERE id = ?
        """,
      arguments: [
        batch.sequence, batch.count, content.count, batch.gapBefore, first.nanoseconds, last.nanoseconds,
        batch.clock.source.rawValue, batch.clock.errorMilliseconds,
        doubts.isEmpty ? nil : doubts.joined(separator: " "), Data(content), batch.session.description,
      ])
    try PlotTable.add(batch, in: database)
    amount = amount + KeptAmount(samples: batch.count, bytes: content.count)
  }

  /// Sessions of which something is kept, oldest first.
  static func streams(of board: BoardID?, in database: Database) throws -> [KeptStream] {
    try Row.fetchAll(database, sql: KeptQuery.streams, arguments: [board?.description]).map { row in
      let name: String = row["stream"]
      guard let id = ULID(row["id"] as String), let board = BoardID(row["board"] as String) else {
        throw StoreFailure.corrupt("kept stream \(row["id"] as String)")
      }
      return KeptStream(
        id: id, board: board, stream: name, boot: row["boot"],
        fields: try StoredFields.decode(row.bytes("fields"), of: name), started: row.time("from_ns"),
        ended: row.time("to_ns"), samples: row["samples"], bytes: row["bytes"],
        lost: row["is_uncountable"] as Bool ? -1 : row["lost"], isRunning: row["is_running"])
    }
  }

  /// The kept samples of a session from the one numbered `sequence` on, as batches; at most `limit` of them, and only
  /// such with samples of the time from `since` until `until`.
  static func batches(
    of stream: KeptStream, from sequence: Int, since: Timestamp?, until: Timestamp?, limit: Int,
    in database: Database
  ) throws -> [SampleBatch] {
    let statement = try database.cachedStatement(sql: KeptQuery.batches)
    let arguments: StatementArguments = [
      stream.id.description, sequence, since?.nanoseconds ?? .min, until?.nanoseconds ?? .max, limit,
    ]
    return try Row.fetchAll(statement, arguments: arguments).map { row in
      let content = KeptSamplesCoding.decode(
        row.bytes("content"), count: row["samples"], first: row.time("from_ns"), fields: stream.fields)
      guard let content, let source = ClockQuality.Source(rawValue: row["clock"]) else {
        throw StoreFailure.corrupt("kept samples of \(stream.id)")
      }
      var batch = SampleBatch(
        board: stream.board, stream: stream.stream, fields: stream.fields, session: stream.id,
        boot: stream.boot, sequence: row["sequence"], gapBefore: row["gap_before"],
        clock: ClockQuality(source: source, errorMilliseconds: row["error_ms"]), configuration: nil)
      (batch.times, batch.values) = content
      let doubts = (row["doubts"] as String?)?.split(separator: " ") ?? []
      batch.doubts = Set(doubts.compactMap { QualityReason(rawValue: String($0)) })
      return batch
    }
  }

  /// When samples ended, by a clock that was set: those of `row`, or the next ones; the end of time where none are.
  static func age(of row: Row, in database: Database) throws -> Timestamp {
    let time = row.time("to_ns")
    guard !time.isPlausible else { return time }
    guard let newest = try Row.fetchOne(database.cachedStatement(sql: KeptQuery.newest)),
      newest.time("to_ns").isPlausible
    else { return Timestamp(nanoseconds: .max) }
    // There may be days of them, so the place where the clock was set is searched by halves.
    let later = try database.cachedStatement(sql: KeptQuery.later)
    var (unset, set): (Int64, Int64) = (row["id"], newest["id"])
    var found = newest.time("to_ns")
    while set - unset > 1, let next = try Row.fetchOne(later, arguments: [unset + (set - unset) / 2]) {
      if next.time("to_ns").isPlausible {
        (set, found) = (unset + (set - unset) / 2, next.time("to_ns"))
      } else {
        unset = next["id"]
      }
    }
    return found
  }

  /// Its oldest samples went.
  static func shortenPlot(of session: Int64, in database: Database) throws {
    let statement = try database.cachedStatement(sql: KeptQuery.firstLeft)
    guard let row = try Row.fetchOne(statement, arguments: [session]),
      let id = (row["id"] as String?).flatMap({ ULID($0) })
    else { return }
    try PlotTable.forget(id, before: row["sequence"], in: database)
  }

  /// Once, when the store is opened. A database that is not brought up to date keeps nothing.
  static func counted(in database: Database) throws -> KeptAmount {
    guard try database.tableExists("kept_samples") else { return KeptAmount() }
    let row = try Row.fetchOne(database, sql: KeptQuery.amount)
    return KeptAmount(samples: row?[0] ?? 0, bytes: row?[1] ?? 0)
  }

  static func oldest(in database: Database) throws -> Timestamp? {
    try Int64.fetchOne(database.cachedStatement(sql: KeptQuery.oldest)).map { Timestamp(nanoseconds: $0) }
  }
}

/// The statements that rely on an index.
enum KeptQuery {
  /// The first and the last of a session's rows tell its times; the sums come off the index.
  static let streams = """
    SELECT kept_stream.*, sum(samples) AS samples, sum(bytes) AS bytes, sum(max(gap_before, 0)) AS lost,
      min(gap_before) < 0 AS is_uncountable,
      (SELECT from_ns FROM kept_samples WHERE session = number ORDER BY sequence LIMIT 1) AS from_ns,
      (SELECT to_ns FROM kept_samples WHERE session = number ORDER BY sequence DESC LIMIT 1) AS to_ns,
      EXISTS (SELECT 1 FROM open_stream WHERE open_stream.session = kept_stream.id) AS is_running
    FROM kept_stream JOIN kept_samples ON kept_samples.session = number
    WHERE kept_stream.id IS NOT NULL AND (?1 IS NULL OR kept_stream.board = ?1) GROUP BY number ORDER BY number
    """
  static let batches = """
    SELECT kept_samples.* FROM kept_stream JOIN kept_samples ON session = number
    WHERE kept_stream.id = ? AND sequence >= ? AND to_ns >= ? AND from_ns < ? ORDER BY sequence LIMIT ?
    """
  static let firstLeft = """
    SELECT kept_stream.id AS id, sequence FROM kept_stream JOIN kept_samples ON session = number
    WHERE number = ? ORDER BY sequence LIMIT 1
    """
  static let amount = "SELECT coalesce(sum(samples), 0), coalesce(sum(bytes), 0) FROM kept_samples"
  static let oldest = "SELECT from_ns FROM kept_samples ORDER BY id LIMIT 1"
  static let newest = "SELECT id, to_ns FROM kept_samples ORDER BY id DESC LIMIT 1"
  static let later = "SELECT id, to_ns FROM kept_samples WHERE id >= ? ORDER BY id LIMIT 1"
  static let first = "SELECT id, session, samples, bytes, to_ns FROM kept_samples ORDER BY id LIMIT ?"
  static let deleted = """
    SELECT kept_samples.id AS id, session, samples, bytes, to_ns FROM kept_stream JOIN kept_samples ON session = number
    WHERE kept_stream.id IS NULL LIMIT ?
    """
  /// Sessions of which nothing is left.
  static let forget = """
    DELETE FROM kept_stream WHERE NOT EXISTS (SELECT 1 FROM kept_samples WHERE session = number)
    """
}
