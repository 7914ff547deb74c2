extension ConfigurationProblem {
  /// The problem as one JSON object.
  package var json: JSONObject {
    var object: JSONObject = ["path": .string(path)]
    object["line"] = line.map { .integer(Int64($0)) }
    object["column"] = column.map { .integer(Int64($0)) }
    object["severity"] = .string(severity.rawValue)
    object["text"] = .string(text)
    return object
  }
}
