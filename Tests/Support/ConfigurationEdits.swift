package import FleetModel

/// Files with other values of some keys: for tests that change whatever is declared.
package enum ConfigurationEdits {
  /// Keys in effect; whatever is declared is here, but what is resolved before values are read.
  package static let keys = ConfigurationKeys.leaves.filter {
    $0.key.file?.isInEffect == true && $0.path != "profiles.<name>.extends"
  }

  /// Why there is no such file.
  package enum Failure: Error {
    case noOtherValue(path: String)
    case errors([String])
  }

  /// Another value than the one that counts now.
  package static func other(_ path: String, than now: JSONValue?, as type: ParameterType) throws -> JSONValue
  {
    let candidates: [JSONValue] =
      switch type {
      case .integer(let range): [.integer(range.lowerBound), .integer(range.upperBound)]
      case .number(let range): [.number(range.lowerBound), .number(range.upperBound)]
      case .boolean: [true, false]
      case .choice(let words): words.map { .string($0) }
      case .displayName, .word, .topicLevels: ["other"]
      case .name: ["q"]
      case .duration(let least, let most): [least, most ?? .seconds(9)].map { .duration($0) }
      case .size: ["7MB"]
      case .percent: ["7%"]
      case .scheduleRule: ["never"]
      case .hours: ["08:00-18:00"]
      case .file, .directory: ["/other"]
      case .listenAddress: ["none", "127.0.0.1:9465"]
      case .address: ["c0ffee000002"]
      case .list(.object, _): [[["verbs": ["led"], "groups": ["other"], "boards": ["c0ffee000002"]]]]
      case .list(let element, _):
        // Beside what is there: nothing goes only because something comes.
        [.array((now?.array ?? []) + [try other(path, than: now?.array?.first, as: element)])]
      case .map(_, let value, _): [["other": try other(path, than: nil, as: value)]]
      case .streams: [["switch": [:]]]
      case .programs(.chain): [["other": ["from": "switch", "chain": ["counter"], "to": []]]]
      case .programs(.timer): [["other": ["period_ms": 7]]]
      case .programs(.event):
        [["other": ["source": "button-press", "action": ["verb": "haptic", "args": ["pulse_ms": 9]]]]]
      case .settings: [["tx_dbm": 4]]
      case .either(let forms): forms.reversed().compactMap { try? other(path, than: now, as: $0) }
      case .worded(_, let inner): [try other(path, than: now, as: inner)]
      case .object(let keys):
        [.object(JSONObject(try keys.prefix(1).map { ($0.name, try other(path, than: nil, as: $0.type)) }))]
      case .offered, .text, .bytes, .boardName, .identifier, .instant, .anything: []
      }
    guard let other = candidates.first(where: { $0 != now }) else { throw Failure.noOtherValue(path: path) }
    return other
  }

  /// The file with another value at a path such as `profiles.<name>.link`, which is that of `profile`; of a list,
  /// in its first entry.
  package static func set(
    _ value: JSONValue, at path: String, in file: JSONValue, profile: String = "p"
  ) -> JSONValue {
    func set(_ whole: JSONValue?, _ steps: ArraySlice<Substring>) -> JSONValue {
      guard let step = steps.first else { return value }
      let rest = steps.dropFirst()
      var object = whole?.object ?? [:]
      if step.hasSuffix("[]") {
        let name = String(step.dropLast(2))
        let entries = object[name]?.array ?? []
        object[name] = .array([set(entries.first, rest)] + entries.dropFirst())
        return .object(object)
      }
      let name = step == "<name>" ? profile : String(step)
      object[name] = set(object[name], rest)
      return .object(object)
    }
    return set(file, path.split(separator: ".")[...])
  }

  /// The file with other values at all of `paths`.
  package static func edited(
    _ file: JSONValue, at paths: [String], profile: String = "p"
  ) throws -> JSONValue {
    var edited = file
    for (path, key) in keys where paths.contains(path) {
      edited = set(
        try other(path, than: key.standard, as: key.type), at: path, in: edited, profile: profile)
    }
    return edited
  }

  /// What a file says that has no errors.
  package static func read(_ file: JSONValue) throws -> FleetConfiguration {
    let reading = ConfigurationReading(file, over: FleetConfiguration())
    let errors = reading.faults.filter { $0.severity == .error }
    guard errors.isEmpty else { throw Failure.errors(errors.map(\.text)) }
    return reading.configuration
  }
}
