import Dialects
import FleetModel

/// Rollouts of firmware in words.
enum RolloutText {
  /// What a gateway answered: who gets the firmware, who first, and who cannot have it. `names` are those of boards by
  /// id.
  static func plan(_ reply: ReplyDocument, names: [String: String]) -> [String] {
    guard let data = reply[.data], let id = data["rollout"]?.string else { return [] }
    let isDryRun = data["dry_run"]?.bool ?? false
    let count = Int(clamping: data["boards"]?.integer ?? 0)
    let first = (data["first"]?.array ?? []).compactMap(\.string).map { name($0, names) }
    let words = isDryRun ? "would get" : count == 1 ? "gets" : "get"
    var lines = [
      "\(reply[.answeredBy] ?? "?")  \(isDryRun ? "plan" : "rollout \(id) begun"): \(CountText.of(count, "board")) \(words) the firmware"
    ]
    if !first.isEmpty { lines.append("  first: \(first.joined(separator: ", "))") }
    lines += refusals(data, names)
    return lines.map { printable($0) }
  }

  private static func refusals(_ data: JSONObject, _ names: [String: String]) -> [String] {
    let rows = (data["refused"]?.array ?? []).compactMap(\.object)
    let lines = rows.map { row in
      "  refused: \(name(row["board"]?.string ?? "?", names)): \(row["reason"]?.string ?? "?")"
    }
    let rest = Int(clamping: data["refused_count"]?.integer ?? 0) - rows.count
    return rest > 0 ? lines + ["  … and \(rest) more"] : lines
  }

  /// How far one is, in a line: `floor-3  fw-173: rolling, 12 of 40 done, 1 running, 27 to go, 10 an hour`.
  static func progress(_ document: RolloutDocument) -> String {
    func count(_ count: RolloutCount) -> Int { document[.count(count)] ?? 0 }
    var words = [(document[.phase] ?? "?") + (document[.isPaused] == true ? " (paused)" : "")]
    words.append("\(count(.done)) of \(count(.total)) done")
    for (key, label) in [
      (RolloutCount.running, "running"), (.failed, "failed"), (.stranded, "without firmware"),
      (.pending, "to go"), (.skipped, "skipped"), (.refused, "refused"),
    ] where count(key) > 0 { words.append("\(count(key)) \(label)") }
    if document[.phase] == RolloutPhase.rolling.rawValue, let rate = document[.perHour] {
      words.append("\(rate) an hour")
    }
    let reason = document[.reason].map { ": \($0)" } ?? ""
    return printable(
      "\(document[.gateway] ?? "?")  \(document[.id] ?? "?"): \(words.joined(separator: ", "))\(reason)")
  }

  private static func name(_ board: String, _ names: [String: String]) -> String {
    names[board].map { "\($0) (\(board))" } ?? board
  }
}

/// Follows the documents of a rollout until it is over at every gateway that has begun it.
struct RolloutWatch: Sendable {
  private var latest: [String: RolloutDocument] = [:]
  /// Gateways that begun it, whose documents are awaited.
  private let gateways: Set<String>

  init(gateways: Set<String>) { self.gateways = gateways }

  /// Takes a document in. Returns the line that says what is new of it; nil where it says what it said before.
  mutating func take(_ document: RolloutDocument) -> String? {
    guard let gateway = document[.gateway] else { return nil }
    let before = latest.updateValue(document, forKey: gateway).map(RolloutText.progress)
    let line = RolloutText.progress(document)
    return line == before ? nil : line
  }

  /// The answer of the process; nil while it is under way somewhere.
  var status: ExitStatus? {
    guard gateways.isSubset(of: latest.keys), latest.values.allSatisfy(Self.isOver) else { return nil }
    return latest.values.allSatisfy(Self.isGood) ? .ok : .no
  }

  private static func isOver(_ document: RolloutDocument) -> Bool {
    let phase = document[.phase].flatMap { RolloutPhase(rawValue: $0) }
    return phase?.isEnd == true && (document[.count(.running)] ?? 0) == 0
  }

  private static func isGood(_ document: RolloutDocument) -> Bool {
    document[.phase] == RolloutPhase.done.rawValue && (document[.count(.failed)] ?? 0) == 0
      && (document[.count(.stranded)] ?? 0) == 0 && (document[.count(.skipped)] ?? 0) == 0
  }
}
