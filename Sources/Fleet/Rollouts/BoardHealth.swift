import FleetModel

/// What is compared of a board before and behind new firmware.
struct BoardHealth: Hashable, Sendable {
  /// Names of streams that send, and of what is logged.
  var streams: Set<String> = []
  var logged: Set<String> = []
  /// Since it has the firmware; before, nothing counts.
  var unexpectedResets = 0
  /// Connections that nobody ordered to end, or that failed: in a day before, and since it has the firmware.
  var linkFailures = 0
  /// Why its profile could not be applied.
  var trouble: String?

  /// More connections than before that may be lost while a board is watched, whatever is usual.
  private static let linkAllowance = 3.0

  /// What is worse than `before`, of a board that was watched for `time`: sentences without the board.
  func problems(since before: BoardHealth, over time: Duration) -> [String] {
    var problems: [String] = []
    if let trouble, trouble != before.trouble {
      problems.append("its profile could not be applied: \(trouble)")
    }
    func lacks(_ what: String, _ names: Set<String>) {
      if !names.isEmpty { problems.append("it no longer \(what) \(names.sorted().joined(separator: ", "))") }
    }
    lacks("streams", before.streams.subtracting(streams))
    lacks("logs", before.logged.subtracting(logged))
    if unexpectedResets > 0 {
      problems.append("it restarted \(CountText.of(unexpectedResets, "time")) by itself")
    }
    let usual = Double(before.linkFailures) * time.inSeconds / 86_400
    if Double(linkFailures) > usual + Self.linkAllowance {
      problems.append("its connection was lost or failed \(CountText.of(linkFailures, "time"))")
    }
    return problems
  }
}

extension BoardHealth {
  init(document: JSONObject) {
    func names(_ key: String) -> Set<String> { Set((document[key]?.array ?? []).compactMap(\.string)) }
    (streams, logged) = (names("streams"), names("logged"))
    linkFailures = Int(document["link_failures"]?.integer ?? 0)
    trouble = document["trouble"]?.string
  }

  /// What counts of the time before.
  var document: JSONObject {
    func names(_ names: Set<String>) -> JSONValue { .array(names.sorted().map { .string($0) }) }
    var document: JSONObject = [
      "streams": names(streams), "logged": names(logged), "link_failures": .integer(Int64(linkFailures)),
    ]
    document["trouble"] = trouble.map { .string($0) }
    return document
  }
}
