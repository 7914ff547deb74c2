import Dialects
import Fleet
import FleetModel
import Storage

/// The sessions of the archive as a table, or as one object each.
enum SessionTable {
  /// The newest first. Short ids are as long as it takes to tell the listed ones apart, which is enough to name them.
  static func table(
    of ledgers: [LogLedger], names: [BoardID: String], hasShortIDs: Bool = false
  ) -> Table {
    // Eighty columns keep when a session began, and whether anything is lost.
    var table = Table([
      .init("SESSION"), Table.names("BOARD"), .init("STARTED", rank: 2), .init("STATE"),
      .init("ENTRIES", isRight: true, rank: 3), .init("OF", isRight: true, rank: 7),
      .init("SAMPLES", isRight: true, rank: 5), .init("WAITING", isRight: true, rank: 6),
      .init("LOST", isRight: true, rank: 1), .init("UNDECODED", isRight: true, rank: 4),
      .init("STREAMS", rank: 8, maximum: 60),
    ])
    let length = hasShortIDs ? shortestLength(ledgers.map(\.session.id.description)) : .max
    let newestFirst = ledgers.sorted { left, right in
      (right.session.started, right.session.id.description) < (
        left.session.started, left.session.id.description
      )
    }
    for ledger in newestFirst {
      let session = ledger.session
      table.rows.append([
        .init(String(session.id.description.prefix(length)), .bold),
        .init(names[session.board].map(printable) ?? "\(session.board)"),
        .init(ClockText.utc(session.started)), .init(session.progress.rawValue, style(of: session.progress)),
        .init("\(session.stored)"), .init(session.expected.map { "\($0)" } ?? "-"),
        .init("\(ledger.sum.published)"), .init("\(ledger.sum.waiting)"), .init(lost(ledger.sum.lost)),
        .init("\(ledger.undecoded)", ledger.undecoded > 0 ? .bad : nil),
        .init(printable(session.streams.map(\.name).joined(separator: " "))),
      ])
    }
    return table
  }

  static func object(of ledger: LogLedger) -> JSONObject {
    let session = ledger.session
    var object: JSONObject = [
      "session": .string(session.id.description), "board": .string(session.board.description),
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
