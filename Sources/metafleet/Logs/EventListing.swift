import Dialects
import FleetModel

/// Events and ends of commands for people: a line each.
enum EventListing {
  /// So wide is what comes before the words, that lines of several tables stand below each other.
  private static let (source, event) = (16, 18)

  /// `width`: columns of the terminal; nil cuts nothing.
  static func lines(
    of entries: [HistoryEntry], names: [BoardID: String], width: Int?, isColoured: Bool, hasTitle: Bool = true
  ) -> [String] {
    var table = Table([
      .init("TIME (UTC)"), .init("SOURCE", minimum: source), .init("EVENT", minimum: event), .init("WHAT"),
    ])
    for entry in entries { table.rows.append(cells(of: entry, names, isCut: width != nil)) }
    let lines = table.lines(width: width, isColoured: isColoured)
    return hasTitle ? lines : Array(lines.dropFirst())
  }

  private static func cells(
    of entry: HistoryEntry, _ names: [BoardID: String], isCut: Bool
  ) -> [Table.Cell] {
    let document = (try? StrictJSON.parse(entry.document, limits: .trusting).object) ?? [:]
    let type = document["event_type"]?.string ?? ""
    let name = printable(sourceName(of: entry, document, names))
    return [
      .init(time(entry.time)), .init(isCut ? TextWidth.cut(name, to: source) : name),
      .init(printable(title(entry.kind, type)), style(of: type)),
      .init(printable(words(of: entry, document, names))),
    ]
  }

  /// `2025-11-20 20:40:34`: to the second, to leave room for words; `--json` has milliseconds.
  private static func time(_ time: Timestamp) -> String {
    String(ClockText.utc(time).prefix(19)).replacing("T", with: " ")
  }

  /// Whom it happened to.
  private static func sourceName(
    of entry: HistoryEntry, _ document: JSONObject, _ names: [BoardID: String]
  ) -> String {
    if !entry.isOfGateway { return entry.board.map { names[$0] ?? "\($0)" } ?? "?" }
    if let group = document["group"]?.string { return "group:\(group)" }
    if let adapter = entry.adapter { return document["name"]?.string ?? adapter }
    return [EventKind.storage, .keptStreams].map(\.rawValue).contains(entry.kind) ? "storage" : "gateway"
  }

  /// The kind, and the type where it says more.
  private static func title(_ kind: String, _ type: String) -> String {
    kind == type || kind.hasSuffix("-\(type)") || type.isEmpty ? kind : "\(kind) \(type)"
  }

  private static func words(
    of entry: HistoryEntry, _ document: JSONObject, _ names: [BoardID: String]
  ) -> String {
    let message = document["message"]?.string
    if entry.kind == HistoryEntry.command {
      let verb = document["verb"]?.string ?? ""
      let code = document["code"]?.string.map { ": \($0)" } ?? ""
      return "\(verb)\(code)" + (message.map { "; \($0)" } ?? "")
    }
    var parts: [String] = []
    if entry.isOfGateway, let board = entry.board { parts.append(names[board] ?? "\(board)") }
    if let message {
      parts.append(message)
    } else {
      for field in EventKind(rawValue: entry.kind)?.fields ?? [] where field != "board" {
        guard let value = document[field] else { continue }
        parts.append("\(field)=\(value.string ?? JSONText.of(value))")
      }
    }
    return parts.joined(separator: " ")
  }

  /// Types that somebody should look at, and those that say that something is well again or was done.
  private static let (bad, good): (Set<String>, Set<String>) = (
    [
      "lost", "failed", "full", "corrupt", "read-only", "locked", "critical", "blocked", "exhausted",
      "unexpected", "missed", "mismatch", "silent", "refused", "taken-over", "alarm", "flapping", "rejected",
      "impossible-value", "missing", "cut", "dropped",
    ],
    ["done", "recovered", "restored", "returned", "up", "applied"]
  )

  private static func style(of type: String) -> Style? {
    if bad.contains(type) { return .bad }
    return good.contains(type) ? .good : nil
  }
}
