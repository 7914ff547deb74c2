import FleetModel

/// What is kept of a board's log and of contacts with it between runs of the daemon. Entries, sessions and clock
/// readings are in the archive.
struct StoredLogState: Hashable, Sendable {
  /// What the board's loggers were last made for.
  var made: [String: StreamRequest] = [:]
  /// How full its log was when we looked.
  var estimate: LogEstimate?
  /// The level that was reported last.
  var level: LogFillLevel?
  /// When its log was last seen to be empty after it was cleared.
  var cleared: Timestamp?
  /// Slots of loggers that nobody of us made; nil where nobody looked.
  var foreign: Set<Int>?
  /// Whether the last download ended because the broker acknowledged nothing.
  var stoppedForBroker = false
  /// When a contact last did all that it was for.
  var lastContact: Timestamp?

  init() {}

  /// As kept on disk; empty when there is nothing.
  var document: JSONObject {
    var document = JSONObject()
    if !made.isEmpty {
      document["made"] = .object(
        JSONObject(made.sorted { $0.key < $1.key }.map { ($0.key, .object($0.value.configuration)) }))
    }
    document["estimate"] = estimate.map { .object($0.document) }
    document["level"] = level.map { .string($0.rawValue) }
    document["cleared_ms"] = cleared.map { .integer($0.milliseconds) }
    document["foreign"] = foreign.map { .array($0.sorted().map { .integer(Int64($0)) }) }
    if stoppedForBroker { document["held_for_broker"] = true }
    document["contact_ms"] = lastContact.map { .integer($0.milliseconds) }
    return document
  }

  /// Reads what was kept.
  init(document: JSONObject) {
    for (name, value) in document["made"]?.object?.members ?? [] {
      made[name] = value.object.map { StreamRequest(name: name, configuration: $0) }
    }
    estimate = document["estimate"]?.object.flatMap { LogEstimate(document: $0) }
    level = document["level"]?.string.flatMap(LogFillLevel.init)
    cleared = document["cleared_ms"]?.integer.map { Timestamp(milliseconds: $0) }
    foreign = document["foreign"]?.array.map { Set($0.compactMap { $0.integer.map(Int.init(clamping:)) }) }
    stoppedForBroker = document["held_for_broker"]?.bool ?? false
    lastContact = document["contact_ms"]?.integer.map { Timestamp(milliseconds: $0) }
  }
}

extension StoredLogState {
  /// Takes how the log stands at `now`.
  mutating func take(_ snapshot: LogSnapshot, at now: Timestamp) {
    let now = Timestamp(milliseconds: now.milliseconds)
    var new = LogEstimate(
      entries: snapshot.entries, capacity: snapshot.capacity, isLogging: snapshot.isLogging, time: now,
      rate: LogEstimate.rate(of: made))
    new.rate = new.rate ?? estimate.flatMap { new.observedRate(since: $0) }
    estimate = new
    if snapshot.isCleared { cleared = now }
  }

  /// Whether the board logs by itself, as far as known. One may have logging on and no logger: then it logs nothing.
  var isLogging: Bool { estimate?.isLogging == true && !made.isEmpty }

  /// What is to be reported of a level that the log has reached, and when it reaches the next one.
  mutating func watchLevel(at now: Timestamp) -> (effects: [BoardEffect], next: Timestamp?) {
    guard let estimate else { return ([], nil) }
    let percent = estimate.usedPercent(at: now)
    var effects: [BoardEffect] = []
    if let reached = LogFillLevel.crossed(to: percent, after: level) {
      level = reached
      var fields: JSONObject = ["log_used_pct": .number((percent * 10).rounded() / 10)]
      fields["log_full_ms"] = estimate.full.map { .integer($0.milliseconds) }
      effects = [.publish(EventDraft(.logLevel, reached.rawValue, fields: fields)), .remember]
    } else if let last = level, LogFillLevel.of(percent).map({ $0 < last }) ?? true {
      level = LogFillLevel.of(percent)
    }
    return (
      effects,
      LogFillLevel.allCases.first { percent < $0.percent }.flatMap { estimate.reaches($0.percent / 100) }
    )
  }
}
