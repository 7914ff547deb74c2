import Dialects
import FleetModel

/// What a group's job tells beside its stage (MQTT contract 4.2).
enum JobText {
  /// Whether a reply is one of a group's job.
  static func isJob(_ reply: ReplyDocument) -> Bool {
    reply[.group] != nil && reply[.data]?["total"] != nil
  }

  /// How far it has come: `18 of 40 done, 1 failed, 21 to go`.
  static func counts(_ data: JSONObject) -> String {
    func count(_ key: String) -> Int64 { data[key]?.integer ?? 0 }
    var words = ["\(count("done")) of \(count("total")) done"]
    for (key, label) in [
      ("failed", "failed"), ("unknown", "unknown"), ("skipped", "skipped"), ("pending", "to go"),
    ] where count(key) > 0 {
      words.append("\(count(key)) \(label)")
    }
    return words.joined(separator: ", ")
  }

  /// The members that were not done, one line each, by name where there is one; without those in `told`.
  static func failures(_ data: JSONObject, names: [String: String], told: Set<String> = []) -> [String] {
    let all = data["not_done"]?.array?.compactMap(\.object) ?? []
    let members = all.filter { !told.contains($0["board"]?.string ?? "") }
    var lines = members.map { member in
      let id = member["board"]?.string ?? "?"
      let who = names[id].map { "\($0) (\(id))" } ?? id
      let stage = member["stage"]?.string ?? "?"
      return "\(who) \(stage)" + (member["code"]?.string.map { ": \($0)" } ?? "")
    }
    let missed = ["failed", "unknown", "skipped"].reduce(0) { $0 + (data[$1]?.integer ?? 0) }
    let rest = missed - Int64(all.count)
    if rest > 0, told.isEmpty { lines.append("… and \(rest) more") }
    return lines
  }
}
