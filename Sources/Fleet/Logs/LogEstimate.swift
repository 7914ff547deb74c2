import FleetModel

/// How full a board's log is between two looks at it (MQTT contract 1.3). Pure.
struct LogEstimate: Hashable, Sendable {
  /// What the board reported last.
  var entries: Int
  /// Entries that it can hold.
  var capacity: Int
  /// Whether it logged then.
  var isLogging: Bool
  /// When it reported that.
  var time: Timestamp
  /// Entries per second; nil where nobody knows.
  var rate: Double?

  /// The share at which a board is visited early.
  static let limit = 0.8

  /// Entries by now.
  func entries(at now: Timestamp) -> Double {
    guard isLogging, let rate else { return Double(entries) }
    return min(Double(max(entries, capacity)), Double(entries) + rate * max(0, (now - time).inSeconds))
  }

  /// Of the capacity, 0 to 100, with three digits behind the point.
  func usedPercent(at now: Timestamp) -> Double {
    guard capacity > 0 else { return 0 }
    return (min(1, entries(at: now) / Double(capacity)) * 100_000).rounded() / 1_000
  }

  /// When it is full; nil when it does not grow.
  var full: Timestamp? { reaches(1) }

  /// When it reaches a share of its capacity; nil when it never does, or did already.
  func reaches(_ share: Double) -> Timestamp? {
    guard isLogging, let rate, rate > 0, capacity > 0 else { return nil }
    let left = Double(capacity) * share - Double(entries)
    // Beyond some years the estimate means nothing, and would not fit into a timestamp.
    guard left > 0, left / rate < 10 * 365 * 86_400 else { return nil }
    return time + .milliseconds(Int64(left / rate * 1_000))
  }

  /// How fast it grew since an earlier look, where nobody knows how fast it should; nil where that tells nothing.
  func observedRate(since earlier: LogEstimate) -> Double? {
    let time = (time - earlier.time).inSeconds
    guard earlier.isLogging, entries > earlier.entries, time >= 1 else { return earlier.rate }
    return Double(entries - earlier.entries) / time
  }

  /// The rate at which streams fill a log, entries per second; nil where one of them comes when it likes. `entries`
  /// tells how many one sample of a chain takes.
  static func rate(of logs: [String: StreamRequest], entries: [String: Int] = [:]) -> Double? {
    var sum = 0.0
    for (name, request) in logs {
      guard let found = StreamCatalogue.find(name) else { return nil }
      let perSample = found.component == nil ? found.stream.logEntries ?? 1 : 1
      if let period = request.readRule?.interval {
        sum += Double(perSample) / max(0.001, period.inSeconds)
      } else if let rate = request.configuration["rate_hz"]?.number {
        sum += Double(perSample) * rate
      } else {
        return nil
      }
    }
    return logs.isEmpty ? nil : sum
  }
}

extension LogEstimate {
  /// As kept on disk.
  var document: JSONObject {
    var document: JSONObject = [
      "entries": .integer(Int64(entries)), "capacity": .integer(Int64(capacity)),
      "logging": .bool(isLogging), "at_ms": .integer(time.milliseconds),
    ]
    document["rate_hz"] = rate.map { .number($0) }
    return document
  }

  /// Reads what was kept.
  init?(document: JSONObject) {
    guard let entries = document["entries"]?.integer, let capacity = document["capacity"]?.integer,
      let isLogging = document["logging"]?.bool, let time = document["at_ms"]?.integer
    else { return nil }
    self.init(
      entries: Int(clamping: entries), capacity: Int(clamping: capacity), isLogging: isLogging,
      time: Timestamp(milliseconds: time), rate: document["rate_hz"]?.number)
  }
}
