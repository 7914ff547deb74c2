import FleetModel

/// What is kept of a board's log and of contacts with it between runs of the daemon. Entries, sessions and clock readings
/// are in the archive.
struct LogMemory: Hashable, Sendable {
  /// What verbs changed.
  var overlay = LogOverlay()
  /// What the board's loggers were last made for.
  var made: [String: StreamRequest] = [:]
  /// How full its log was when we looked.
  var estimate: LogEstimate?
  /// The level that was told last.
  var level: LogLevel?
  /// When its log was last seen to be empty after it was cleared.
  var cleared: Timestamp?
  /// Slots of loggers that nobody of us made; nil where nobody looked.
  var foreign: Set<Int>?
  /// Whether the last download ended because the broker acknowledged nothing.
  var wasHeldForBroker = false
  /// When a contact last did all that it was for.
  var lastContact: Timestamp?

  init() {}

  /// As kept on disk; empty when there is nothing.
  var document: JSONObject {
    var document = JSONObject()
    if !overlay.isEmpty { document["overlay"] = .object(overlay.document) }
    if !made.isEmpty {
      document["made"] = .object(
        JSONObject(made.sorted { $0.key < $1.key }.map { ($0.key, .object($0.value.configuration)) }))
    }
    document["estimate"] = estimate.map { .object($0.document) }
    document["level"] = level.map { .string($0.rawValue) }
    document["cleared_ms"] = cleared.map { .integer($0.milliseconds) }
    document["foreign"] = foreign.map { .array($0.sorted().map { .integer(Int64($0)) }) }
    if wasHeldForBroker { document["held_for_broker"] = true }
    document["contact_ms"] = lastContact.map { .integer($0.milliseconds) }
    return document
  }

  /// Reads what was kept.
  init(document: JSONObject) {
    overlay = document["overlay"]?.object.map { LogOverlay(document: $0) } ?? LogOverlay()
    for (name, value) in document["made"]?.object?.members ?? [] {
      made[name] = value.object.map { StreamRequest(name: name, configuration: $0) }
    }
    estimate = document["estimate"]?.object.flatMap { LogEstimate(document: $0) }
    level = document["level"]?.string.flatMap(LogLevel.init)
    cleared = document["cleared_ms"]?.integer.map { Timestamp(milliseconds: $0) }
    foreign = document["foreign"]?.array.map { Set($0.compactMap { $0.integer.map(Int.init(clamping:)) }) }
    wasHeldForBroker = document["held_for_broker"]?.bool ?? false
    lastContact = document["contact_ms"]?.integer.map { Timestamp(milliseconds: $0) }
  }
}
