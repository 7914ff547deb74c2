import Dialects
import Fleet
import FleetModel
import Storage

/// The sessions of the archive as a table, or as one object each.
enum SessionTable {
  /// The newest first. Short ids are as long as it takes to tell the listed ones apart, which is enough to name them.
  static func table(
    of ledgers: [LogLedger], streams: [KeptStream] = [], names: [BoardID: String], hasShortIDs: Bool = false
  ) -> Table {
    // Eighty columns keep when a session began, and whether anything is lost.
    var table = Table([
      .init("SESSION"), Table.names("BOARD"), .init("KIND", rank: 3), .init("STARTED", rank: 2),
      .init("STATE"),
      .init("ENTRIES", isRight: true, rank: 3), .init("OF", isRight: true, rank: 7),
      .init("SAMPLES", isRight: true, rank: 5), .init("WAITING", isRight: true, rank: 6),
      .init("LOST", isRight: true, rank: 1), .init("UNDECODED", isRight: true, rank: 4),
      .init("STREAMS", rank: 8, maximum: 60),
    ])
    let ids = ledgers.map(\.session.id.description) + streams.map(\.id.description)
    let length = hasShortIDs ? shortestLength(ids) : .max
    func head(_ id: ULID, _ board: BoardID, _ kind: SessionKind, _ started: Timestamp) -> [Table.Cell] {
      [
        .init(String(id.description.prefix(length)), .bold),
        .init(names[board].map(printable) ?? "\(board)"), .init(kind.rawValue),
        .init(ClockText.utc(started)),
      ]
    }
    var rows = ledgers.map { ledger in
      let session = ledger.session
      return (
        session.started, session.id.description,
        head(session.id, session.board, .log, session.started) + tail(of: ledger)
      )
    }
    rows += streams.map { stream in
      (
        stream.started, stream.id.description,
        head(stream.id, stream.board, .stream, stream.started) + tail(of: stream)
      )
    }
    table.rows = rows.sorted { ($1.0, $1.1) < ($0.0, $0.1) }.map(\.2)
    return table
  }

  private static func tail(of ledger: LogLedger) -> [Table.Cell] {
    let session = ledger.session
    return [
      .init(session.progress.rawValue, style(of: session.progress)),
      .init("\(session.stored)"), .init(session.expected.map { "\($0)" } ?? "-"),
      .init("\(ledger.sum.published)"), .init("\(ledger.sum.waiting)"), .init(lost(ledger.sum.lost)),
      .init("\(ledger.undecoded)", ledger.undecoded > 0 ? .bad : nil),
      .init(printable(session.streams.map(\.name).joined(separator: " "))),
    ]
  }

  private static func tail(of stream: KeptStream) -> [Table.Cell] {
    [
      .init(stream.isRunning ? "running" : "ended"), "-", "-", .init("\(stream.samples)"), "-",
      .init(lost(stream.lost)), "-", .init(printable(stream.stream)),
    ]
  }

  static func object(of stream: KeptStream) -> JSONObject {
    [
      "session": .string(stream.id.description), "board": .string(stream.board.description), "kind": "stream",
      "started_ms": .integer(stream.started.milliseconds), "ended_ms": .integer(stream.ended.milliseconds),
      "state": .string(stream.isRunning ? "running" : "ended"), "boot": .integer(Int64(stream.boot)),
      "samples": .integer(Int64(stream.samples)), "samples_lost": .integer(Int64(stream.lost)),
      "bytes": .integer(Int64(stream.bytes)), "streams": [.string(stream.stream)],
    ]
  }

  static func object(of ledger: LogLedger) -> JSONObject {
    let session = ledger.session
    var object: JSONObject = [
      "session": .string(session.id.description), "board": .string(session.board.description), "kind": "log",
      "started_ms": .integer(session.started.milliseconds), "state": .string(session.progress.rawValue),
      "boot": .integer(Int64(session.boot)), "entries_stored": .integer(Int64(session.stored)),
    ]
    object["entries_expected"] = session.expected.map { .integer(Int64($0)) }
    object["entries_lost"] = .integer(Int64(session.lost))
    object["entries_undecoded"] = .integer(Int64(ledger.undecoded))
    object["entries_published"] = .integer(Int64(ledger.published))
    object["samples"] = .integer(Int64(ledger.sum.published))
    object["samples_delivered"] = .integer(Int64(ledger.sum.delivered))
    object["samples_lost"] = .integer(Int64(ledger.sum.lost))
    if session.isErasedBeforePublished { object["cleared_before"] = "published" }
    object["streams"] = .array(session.streams.map { .string($0.name) })
    return object
  }

  /// How many first characters tell these ids apart; those of the time, at least.
  private static func shortestLength(_ ids: [String]) -> Int {
    let longest = ids.map(\.count).max() ?? 0
    return (10...max(10, longest)).first { length in
      Set(ids.map { $0.prefix(length) }).count == Set(ids).count
    } ?? longest
  }

  /// Objects of sessions as the table has them, the newest first.
  static func newestFirst(_ objects: [JSONObject]) -> [JSONObject] {
    func place(of object: JSONObject) -> (Int64, String) {
      (object["started_ms"]?.integer ?? 0, object["session"]?.string ?? "")
    }
    return objects.sorted { place(of: $1) < place(of: $0) }
  }

  static func lost(_ count: Int) -> String { count < 0 ? "some" : "\(count)" }

  private static func style(of progress: LogSession.Progress) -> Style? {
    switch progress {
    case .cleared, .complete: .good
    case .short: .bad
    case .logging, .reading: nil
    }
  }
}

extension LogLedger {
  /// All streams' accounts in one.
  var sum: Account { accounts.values.reduce(into: Account()) { $0.add($1) } }
}
