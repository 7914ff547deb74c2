/// A configuration read from the values that the file holds, and everything that is wrong with them.
package struct ConfigurationReading: Sendable {
  /// What was read; of no use where there are errors.
  package private(set) var configuration: FleetConfiguration
  /// What is wrong, with its place.
  package private(set) var faults: [ArgumentFault]

  /// Checks `file` against its declaration, and what is said in one place against what is said in others. `standard` counts
  /// where it says nothing.
  package init(_ file: JSONValue, over standard: FleetConfiguration) {
    configuration = standard
    var check = ArgumentCheck()
    let values = check.value(file, as: .object(ConfigurationKeys.file), at: .file)?.object ?? [:]
    faults = check.faults
    configuration.take(values)
    for (name, keys) in values["profiles"]?.object?.members ?? [] {
      let profile = ProfileReading(
        keys.object ?? [:], at: ArgumentPlace.file.member("profiles").member(name))
      configuration.profiles[name] = profile.profile
      faults += profile.faults
    }
    checkProfileReferences(in: values)
    checkGroups(in: values)
    if let files = values["mqtt"]?.object?["tls"]?.object,
      (files["certificate"] == nil) != (files["key"] == nil)
    {
      note(
        "mqtt.tls needs certificate and key together, or neither",
        at: ArgumentPlace.file.member("mqtt").member("tls"))
    }
  }

  private mutating func checkProfileReferences(in values: JSONObject) {
    var references = [
      (ArgumentPlace.file.member("admission").member("profile"), values["admission"]?.object?["profile"])
    ]
    for (index, board) in (values["boards"]?.array ?? []).enumerated() {
      references.append(
        (ArgumentPlace.file.member("boards").element(index).member("profile"), board.object?["profile"]))
    }
    for case (let place, let name?) in references.map({ ($0.0, $0.1?.string) })
    where configuration.profiles[name] == nil {
      note("\(place.path) \(Self.unknownProfile(name, among: configuration.profiles.keys))", at: place)
    }
  }

  private mutating func checkGroups(in values: JSONObject) {
    for (index, board) in (values["boards"]?.array ?? []).enumerated() {
      for (position, group) in (board.object?["groups"]?.array ?? []).enumerated() where group == "all" {
        note(
          "every board is in the group all by itself; leave it out",
          at: ArgumentPlace.file.member("boards").element(index).member("groups").element(position))
      }
    }
  }

  private mutating func note(_ text: String, at place: ArgumentPlace) {
    faults.append(ArgumentFault(place: place, text: text))
  }

  /// What is said of a name that is no profile.
  package static func unknownProfile(_ name: String, among names: some Sequence<String>) -> String {
    let names = names.sorted()
    let advice =
      Suggestion.nearest(to: name, in: names).map { "did you mean \($0)?" }
      ?? (names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))")
    return "names the profile \(PrintableText.quoted(name)), which is not in the file; \(advice)"
  }
}
