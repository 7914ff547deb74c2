import Dialects
import FleetModel

/// What a gateway answers to `sessions-delete`, for people. Pure.
struct SessionDeletionText {
  let data: JSONObject
  /// Names of boards by id.
  var names: [String: String] = [:]

  /// How many sessions go, and samples in them.
  var sessions: Int { count("deleted") }
  var samples: Int { count("samples") }

  /// `3 sessions with 1200 samples`.
  var summary: String { "\(CountText.of(sessions, "session")) with \(CountText.of(samples, "sample"))" }

  /// Those that go, and those that stay and why.
  func lines(width: Int?, isColoured: Bool) -> [String] {
    var table = Table([
      .init("SESSION"), Table.names("BOARD"), .init("KIND"), .init("STARTED", rank: 1),
      .init("SAMPLES", isRight: true), .init("WHAT", rank: 2),
    ])
    for row in rows("sessions") { table.rows.append(cells(of: row)) }
    let shown = width.map { table.fitted(to: $0) } ?? table
    var lines = table.rows.isEmpty ? [] : shown.lines(width: width, isColoured: isColoured)
    if count("more_sessions") > 0 { lines.append("and \(count("more_sessions")) more") }
    for row in rows("refused") {
      lines.append(printable("stays: \(row["session"]?.string ?? "?"): \(row["reason"]?.string ?? "?")"))
    }
    if count("more_refused") > 0 { lines.append("and \(count("more_refused")) more stay") }
    return lines
  }

  private func cells(of row: JSONObject) -> [Table.Cell] {
    let board = row["board"]?.string ?? "?"
    let started = Timestamp(milliseconds: row["started_ms"]?.integer ?? 0)
    return [
      .init(printable(row["session"]?.string ?? "?"), .bold), .init(printable(names[board] ?? board)),
      .init(printable(row["kind"]?.string ?? "?")), .init(ClockText.utc(started)),
      .init("\(row["samples"]?.integer ?? 0)"), what(of: row),
    ]
  }

  private func what(of row: JSONObject) -> Table.Cell {
    if let waiting = row["undelivered"]?.integer, waiting > 0 {
      return .init("\(waiting) not delivered", .bad)
    }
    if row["running"]?.bool == true { return .init("goes on: its next samples are kept anew") }
    switch row["complete"]?.bool {
    case true: return .init("\(row["entries"]?.integer ?? 0) entries, downloaded completely", .good)
    case false: return .init("\(row["entries"]?.integer ?? 0) entries, not all that the board counted", .bad)
    default: return .init(printable(row["stream"]?.string ?? ""))
    }
  }

  private func rows(_ key: String) -> [JSONObject] { data[key]?.array?.compactMap(\.object) ?? [] }
  private func count(_ key: String) -> Int { Int(clamping: data[key]?.integer ?? 0) }
}
