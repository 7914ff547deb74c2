import FleetModel

/// Arguments as they are typed: `key=value`, `a.b=1`.
enum CommandArguments {
  /// The object of a request. A value that parses as JSON is that, else it is text; dots nest.
  static func parse(_ words: [String]) throws(CommandLineFailure) -> JSONObject {
    var arguments = JSONObject()
    for word in words {
      guard let sign = word.firstIndex(of: "="), sign > word.startIndex else {
        throw CommandLineFailure(
          .usage, "\(quoted(word)) is not an argument; write key=value, such as color=green")
      }
      let keys = word[..<sign].split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard keys.allSatisfy({ !$0.isEmpty }) else {
        throw CommandLineFailure(
          .usage, "\(quoted(word)) has an empty key; write a.b=1 for {\"a\":{\"b\":1}}")
      }
      try insert(value(String(word[word.index(after: sign)...])), at: keys[...], into: &arguments, word)
    }
    return arguments
  }

  private static func insert(
    _ value: JSONValue, at keys: ArraySlice<String>, into object: inout JSONObject, _ word: String
  ) throws(CommandLineFailure) {
    guard let key = keys.first else { return }
    if keys.count == 1 {
      guard object[key] == nil else {
        throw CommandLineFailure(.usage, "\(quoted(word)) gives \(quoted(key)) a second time; give it once")
      }
      object[key] = value
      return
    }
    var inner = JSONObject()
    if let present = object[key] {
      guard let members = present.object else {
        throw CommandLineFailure(
          .usage, "\(quoted(word)) nests into \(quoted(key)), which has a value already")
      }
      inner = members
    }
    try insert(value, at: keys.dropFirst(), into: &inner, word)
    object[key] = .object(inner)
  }

  /// What a typed value means.
  static func value(_ text: String) -> JSONValue {
    (try? StrictJSON.parse(Array(text.utf8), limits: .trusting)) ?? .string(text)
  }
}
