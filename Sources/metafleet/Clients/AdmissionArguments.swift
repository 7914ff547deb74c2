import FleetModel

/// Options of an admission as arguments of the verb `admit` (MQTT contract 4.1).
enum AdmissionArguments {
  /// What is said of the board; what is not said is left out, so that the gateway keeps what it knows.
  static func details(
    name: String?, site: String?, profile: String?, groups: [String], labels: [String], isEnabled: Bool?
  ) throws(CommandLineFailure) -> JSONObject {
    var arguments = JSONObject()
    arguments["name"] = name.map { .string($0) }
    arguments["site"] = site.map { .string($0) }
    arguments["profile"] = profile.map { .string($0) }
    if !groups.isEmpty { arguments["groups"] = .array(groups.map { .string($0) }) }
    if !labels.isEmpty { arguments["labels"] = .object(try self.labels(labels)) }
    arguments["enabled"] = isEnabled.map { .bool($0) }
    return arguments
  }

  private static func labels(_ words: [String]) throws(CommandLineFailure) -> JSONObject {
    var labels = JSONObject()
    for word in words {
      guard let sign = word.firstIndex(of: "="), sign > word.startIndex else {
        throw CommandLineFailure(.usage, "\(quoted(word)) is not a label; write key=value, such as room=3.14")
      }
      let key = String(word[..<sign])
      guard labels[key] == nil else {
        throw CommandLineFailure(.usage, "the label \(quoted(key)) is given twice; give it once")
      }
      labels[key] = .string(String(word[word.index(after: sign)...]))
    }
    return labels
  }
}
