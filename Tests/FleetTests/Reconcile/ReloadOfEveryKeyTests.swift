import Testing

@testable import Fleet
@testable import FleetModel

/// A file is read again with another value of one key, for every key there is: what is said of that and what becomes of
/// the gateway's picture of itself is what is declared of the key (MQTT contract 7).
@Suite struct ReloadOfEveryKeyTests {
  /// Keys in effect; whatever is declared is here, but what is resolved before values are read.
  private static let keys = ConfigurationKeys.leaves.filter {
    $0.key.file?.isInEffect == true && $0.path != "profiles.<name>.extends"
  }

  private static let profile: JSONObject = ["stream": ["acceleration": [:]], "visit": ["every": "1h"]]
  private static let file: JSONObject = [
    "profiles": ["p": .object(profile), "q": ["button": false]], "boards": [["address": "c0ffee000001"]],
  ]

  /// Another value than the one that counts now.
  private static func other(_ path: String, than now: JSONValue?, as type: ParameterType) throws -> JSONValue
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
      case .address: ["c0ffee000002"]
      case .list(.object, _): [[["verbs": ["led"], "groups": ["other"], "boards": ["c0ffee000002"]]]]
      case .list(let element, _): [.array([try other(path, than: nil, as: element)])]
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
    guard let other = candidates.first(where: { $0 != now }) else { throw NoOtherValue(path: path) }
    return other
  }

  private struct NoOtherValue: Error { var path: String }

  /// The file with another value at a path such as `profiles.<name>.link`.
  private static func file(with value: JSONValue, at path: String) -> JSONValue {
    func set(_ whole: JSONValue?, _ steps: ArraySlice<Substring>) -> JSONValue {
      guard let step = steps.first else { return value }
      let rest = steps.dropFirst()
      if step.hasSuffix("[]") {
        let name = String(step.dropLast(2))
        var object = whole?.object ?? [:]
        object[name] = .array([set(object[name]?.array?.first, rest)])
        return .object(object)
      }
      var object = whole?.object ?? [:]
      let name = step == "<name>" ? "p" : String(step)
      object[name] = set(object[name], rest)
      return .object(object)
    }
    return set(.object(file), path.split(separator: ".")[...])
  }

  private static func read(_ file: JSONValue) throws -> FleetConfiguration {
    let reading = ConfigurationReading(file, over: FleetConfiguration())
    #expect(reading.faults.filter { $0.severity == .error } == [])
    return reading.configuration
  }

  @Test(arguments: keys.map(\.path))
  func `what is said and done is what is declared`(path: String) throws {
    let key = try #require(Self.keys.first { $0.path == path }?.key)
    let reload = try #require(key.file?.reload)
    let other = try Self.other(path, than: key.standard, as: key.type)
    let old = try Self.read(.object(Self.file))
    let new = try Self.read(Self.file(with: other, at: path))
    #expect(new.document != old.document, "\(path) reaches nobody")
    let change = ConfigurationChange(from: old, to: new)
    let told = reload == .live ? change.changed : change.needsRestart
    #expect(told.count == 1 && told.allSatisfy { path.replacing("[]", with: "").hasPrefix($0) }, "\(told)")
    #expect((reload == .live ? change.needsRestart : change.changed).isEmpty)
    #expect(change.applied == (reload == .live ? new : old))
  }

  @Test func `only the broker's keys, who the gateway is and where it keeps its state wait for a restart`() {
    let restarts = Self.keys.filter { $0.key.file?.reload == .restart }.map(\.path)
    #expect(
      restarts.filter { !$0.hasPrefix("mqtt.") } == ["gateway.id", "storage.directory"])
  }
}
