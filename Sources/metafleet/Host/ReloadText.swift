import Dialects
import FleetModel

/// What a reload did, in words: a line for each key that changed, and one for each problem with its place.
enum ReloadText {
  /// Of the reply to `reload`; nil of any other.
  static func lines(of reply: ReplyDocument) -> [String]? {
    guard reply[.verb] == "reload", let data = reply[.data] else { return nil }
    return changes(in: data) + problems(in: data).map(\.line) + removals(in: data)
  }

  /// A line for each key that changed: whether it counts by now, or what it needs.
  static func changes(in data: JSONObject) -> [String] {
    guard let changes = data["changes"]?.array else { return [] }
    let lines = changes.compactMap(\.object).map { change in
      let what = "\(change["path"]?.string ?? "?") \(change["change"]?.string ?? "changed")"
      return change["applied"]?.bool == false ? "\(what): not applied, needs a restart" : "\(what): applied"
    }
    return lines.isEmpty ? ["nothing changed"] : lines + more(data["more_changes"], "change")
  }

  /// A line for each problem as compilers print it, and whether it is an error.
  static func problems(in data: JSONObject) -> [(line: String, isError: Bool)] {
    let file = data["file"]?.string ?? "the file"
    let lines = (data["problems"]?.array ?? []).compactMap(\.object).map { problem in
      let severity =
        problem["severity"]?.string.flatMap { ConfigurationProblem.Severity(rawValue: $0) } ?? .warning
      let text = ConfigurationProblem(
        severity, line: problem["line"]?.integer.map { Int(clamping: $0) },
        column: problem["column"]?.integer.map { Int(clamping: $0) }, problem["text"]?.string ?? ""
      ).report(in: file)
      return (text, severity == .error)
    }
    return lines + more(data["more_problems"], "problem").map { ($0, false) }
  }

  /// The boards that would go.
  static func removals(in data: JSONObject) -> [String] {
    let boards = data["boards"]?.array?.compactMap(\.string) ?? []
    return boards.map { "board \($0): no longer listed" } + more(data["more_boards"], "board")
  }

  private static func more(_ count: JSONValue?, _ noun: String) -> [String] {
    count?.integer.map { ["and \(CountText.of(Int(clamping: $0), "more \(noun)"))"] } ?? []
  }
}
