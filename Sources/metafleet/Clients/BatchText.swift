import Dialects
import FleetModel

/// What the commands of a batch came to (MQTT contract 3.11).
enum BatchText {
  /// A line for each, in order; nil where the reply tells of none.
  static func lines(of reply: ReplyDocument) -> [String]? {
    guard reply[.verb] == BatchVerb.name, let results = reply[.data]?["results"]?.array, !results.isEmpty
    else { return nil }
    return results.map { line($0.object ?? JSONObject()) }
  }

  private static func line(_ result: JSONObject) -> String {
    var words = "\(result["verb"]?.string ?? "?") \(result["stage"]?.string ?? "?")"
    if let evidence = result["evidence"]?.string { words += " (\(evidence))" }
    let reason = [result["code"]?.string, result["message"]?.string].compactMap { $0 }
    let data = ReplyText.inline(result["data"]?.object ?? JSONObject())
    for part in [reason.joined(separator: ": "), data] where !part.isEmpty { words += ": \(part)" }
    return result["truncated"] == true ? words + ": the answer is too long for this reply" : words
  }
}
