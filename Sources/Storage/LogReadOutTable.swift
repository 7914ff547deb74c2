internal import FleetModel
internal import FoundationEssentials
internal import GRDB

/// A read-out under way: what its next entries are compared with. Lives as long as the link; after it the next read-out
/// begins anew, from what is on the disk.
struct OpenReadOut: Sendable {
  var session: Int64
  var board: String
  /// Nil before the first entry.
  var repeats: LogDeduplication?
  /// Whether the next entry begins a page.
  var isAtPageStart = true
  /// The entries that `repeats` is in doubt about.
  var doubtful: [UInt8] = []
  /// Entries at the session's end whose page has not ended: it may come again, and otherwise.
  var incomplete = 0
  /// The board's clock as it was looked at before it was read out.
  let reading: BoardTick?

  init(session: Int64, board: String, reading: BoardTick? = nil) {
    (self.session, self.board, self.reading) = (session, board, reading)
  }
}

/// The statements that keep a read-out, to be run inside one transaction.
struct LogReadOutTable {
  let database: Database
  let entrySize: Int
  let time: Timestamp
  var readOut: OpenReadOut
  /// Pieces of the archive that runs are in.
  private var pieces: [Int64: [UInt8]] = [:]
  /// Entries that are not written yet, and the places among them where pages begin.
  private var fresh: [UInt8] = []
  private var freshStarts: [Int] = []

  /// Entries in one row at most: a page.
  static let longestPiece = 512

  init(_ readOut: OpenReadOut, entrySize: Int, at time: Timestamp, in database: Database) {
    (self.readOut, self.entrySize, self.time, self.database) = (readOut, entrySize, time, database)
  }

  /// Takes a piece of a read-out; returns how many entries were written.
  mutating func take(_ entries: [UInt8], endsPage: Bool) throws -> Int {
    var offset = 0
    while offset < entries.count, readOut.repeats?.isOver != true {
      try take(entries[offset..<offset + entrySize])
      offset += entrySize
    }
    // The usual case, in one go.
    if offset < entries.count {
      beginFresh()
      fresh += entries[offset...]
    }
    let written = try write()
    readOut.incomplete += written
    if endsPage {
      readOut.repeats?.pageEnded()
      readOut.doubtful.removeAll()
      readOut.isAtPageStart = true
      readOut.incomplete = 0
    }
    return written
  }

  /// Takes the entries of a page away that has not ended, because it comes again. Nobody has published them.
  static func dropIncompletePage(of readOut: OpenReadOut, entrySize: Int, in database: Database) throws {
    guard readOut.incomplete > 0 else { return }
    try database.executeCached(
      sql: """
        DELETE FROM log_page WHERE session = ?1
        AND position >= (SELECT stored FROM log_session WHERE number = ?1) - ?2
        """, arguments: [readOut.session, readOut.incomplete])
    try database.executeCached(
      sql: "UPDATE log_session SET stored = stored - ?, bytes = bytes - ? WHERE number = ?",
      arguments: [readOut.incomplete, readOut.incomplete * entrySize, readOut.session])
  }

  /// One entry while it may be a repeat.
  private mutating func take(_ entry: ArraySlice<UInt8>) throws {
    var repeats = try readOut.repeats ?? LogDeduplication(from: starts(with: entry))
    let runs = repeats.runs
    let verdict = try repeats.next { try compare($0, entry) }
    readOut.repeats = repeats
    switch verdict {
    case .isRepeat:
      if readOut.isAtPageStart, runs.count == 1 { try note(pageStart: runs[0], first: entry) }
      readOut.isAtPageStart = false
      if repeats.doubtful == 0 { readOut.doubtful.removeAll() } else { readOut.doubtful += entry }
    case .isNew(let before):
      if before > 0 {
        // This page is new from its first entry on.
        readOut.isAtPageStart = true
        beginFresh()
        fresh += readOut.doubtful
        readOut.doubtful.removeAll()
      } else {
        beginFresh()
      }
      fresh += entry
    }
  }

  private mutating func beginFresh() {
    if readOut.isAtPageStart { freshStarts.append(fresh.count / entrySize) }
    readOut.isAtPageStart = false
  }

  private mutating func compare(_ place: LogDeduplication.Place, _ entry: ArraySlice<UInt8>) throws
    -> LogDeduplication.Comparison
  {
    let piece = try piece(place.piece)
    let start = place.entry * entrySize
    guard start + entrySize <= piece.count, piece[start..<start + entrySize] == entry else { return .differs }
    if start + 2 * entrySize <= piece.count {
      return .equal(next: .init(piece: place.piece, entry: place.entry + 1))
    }
    let following = try database.cachedStatement(sql: LogQuery.nextPiece)
    guard let next = try Int64.fetchOne(following, arguments: [readOut.board, place.piece]) else {
      return .equalAndLast
    }
    pieces[place.piece] = nil
    return .equal(next: .init(piece: next, entry: 0))
  }

  private mutating func piece(_ id: Int64) throws -> [UInt8] {
    if let piece = pieces[id] { return piece }
    let statement = try database.cachedStatement(sql: LogQuery.piece)
    let piece = try Data.fetchOne(statement, arguments: [id]).map { [UInt8]($0) } ?? []
    pieces[id] = piece
    return piece
  }

  private func starts(with entry: ArraySlice<UInt8>) throws -> [LogDeduplication.Place] {
    let statement = try database.cachedStatement(sql: LogQuery.pageStarts)
    return try Row.fetchAll(statement, arguments: [readOut.board, Data(entry)]).map {
      LogDeduplication.Place(piece: $0[0], entry: $0[1])
    }
  }

  private func note(pageStart place: LogDeduplication.Place, first: ArraySlice<UInt8>) throws {
    let statement = try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO log_page_start (page, place, board, first) VALUES (?, ?, ?, ?)")
    try statement.execute(arguments: [place.piece, place.entry, readOut.board, Data(first)])
  }

  private mutating func write() throws -> Int {
    let count = fresh.count / entrySize
    guard count > 0 else { return 0 }
    let insert = try database.cachedStatement(
      sql: """
        INSERT INTO log_page (board, session, position, count, stored_ns, entries, look_reset_id, look_tick)
        SELECT ?, number, stored, ?, ?, ?, ?, ? FROM log_session WHERE number = ?
        """)
    let grow = try database.cachedStatement(
      sql: "UPDATE log_session SET stored = stored + ?, bytes = bytes + ? WHERE number = ?")
    for first in stride(from: 0, to: count, by: Self.longestPiece) {
      let end = min(count, first + Self.longestPiece)
      let bytes = Data(fresh[first * entrySize..<end * entrySize])
      try insert.execute(arguments: [
        readOut.board, end - first, time.nanoseconds, bytes, readOut.reading?.resetID, readOut.reading?.tick,
        readOut.session,
      ])
      let piece = database.lastInsertedRowID
      try grow.execute(arguments: [end - first, bytes.count, readOut.session])
      for start in freshStarts where start >= first && start < end {
        let place = start * entrySize
        try note(
          pageStart: .init(piece: piece, entry: start - first), first: fresh[place..<place + entrySize])
      }
    }
    return count
  }
}
