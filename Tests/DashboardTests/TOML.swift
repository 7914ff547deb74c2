/// The part of TOML that Telegraf's files here are written in: tables, lists of tables, and on a line each texts,
/// numbers, truth values and lists of texts. Anything else is an error.
enum TOML {
  struct Unreadable: Error { let line: Substring }

  static func parse(_ text: String) throws -> JSON {
    var root = JSON.object([:])
    var path: [String] = []
    for line in text.split(separator: "\n").map({ String($0).trimmed })
    where !line.isEmpty && !line.hasPrefix("#") {
      if let match = line.wholeMatch(of: /\[\[([\w.]+)\]\]/) {
        path = match.1.split(separator: ".").map(String.init)
        root.atEnd(of: path.dropLast()) { table in
          guard let key = path.last else { return }
          table[key] = .list(table[key].list + [.object([:])])
        }
      } else if let match = line.wholeMatch(of: /\[([\w.]+)\]/) {
        path = match.1.split(separator: ".").map(String.init)
        root.atEnd(of: path.dropLast()) { table in path.last.map { table[$0] = .object([:]) } }
      } else if let match = line.wholeMatch(of: /(\w+)\s*=\s*(.+)/) {
        let value = try value(match.2)
        root.atEnd(of: path[...]) { $0[String(match.1)] = value }
      } else {
        throw Unreadable(line: line[...])
      }
    }
    return root
  }

  private static func value(_ text: Substring) throws -> JSON {
    // Texts and lists of texts without escapes are the same in JSON.
    guard !text.contains("\\"), let value = try? JSON(String(text)) else { throw Unreadable(line: text) }
    return value
  }
}

extension JSON {
  /// Changes the table at a path; of a list of tables, its last one.
  fileprivate mutating func atEnd(of path: ArraySlice<String>, _ change: (inout JSON) -> Void) {
    guard let key = path.first else { return change(&self) }
    var next = self[key]
    if case .list(var tables) = next, var last = tables.popLast() {
      last.atEnd(of: path.dropFirst(), change)
      self[key] = .list(tables + [last])
    } else {
      if next == .null { next = .object([:]) }
      next.atEnd(of: path.dropFirst(), change)
      self[key] = next
    }
  }
}
