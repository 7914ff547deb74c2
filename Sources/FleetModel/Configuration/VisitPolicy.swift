/// How boards are visited whose link is not held (MQTT contract 7.4, `visit`).
public struct VisitPolicy: Hashable, Sendable {
  /// When a log that was downloaded in whole is erased on the board.
  public enum Clear: String, Sendable, CaseIterable {
    case complete, never
    /// Only once the broker has acknowledged all of it.
    case published
  }

  /// When contacts are due; nil = none for its own sake.
  public var every: ScheduleRule?
  /// How far contacts spread, in percent: around an interval, of it; behind a time of day, of an hour.
  public var jitter = 10.0
  /// Whether the log is downloaded.
  public var download = true
  /// When it is erased.
  public var clear = Clear.complete
  /// Whether the log is downloaded although only foreign loggers wrote it.
  public var takesForeign = false
  /// When contacts may happen; empty = at any time.
  public var hours: [HoursOfDay] = []

  /// No visits.
  public init() {}

  /// Whether there are contacts for its own sake.
  public var isPlanned: Bool { every?.longestPause != nil }
}

/// A part of the day by the site's clocks; one that ends before it begins goes over midnight.
public struct HoursOfDay: Hashable, Sendable {
  /// Minutes after midnight: the first that counts, and the first that does not any more.
  public var start, end: Int

  /// From `start` to `end`, each 0 to 1439.
  public init(start: Int, end: Int) { (self.start, self.end) = (start, end) }

  /// Reads `HH:MM-HH:MM`; nil for anything else.
  public init?(_ text: String) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
      .map { ScheduleRule.minute(String($0)) }
    guard ends.count == 2, let start = ends[0], let end = ends[1] else { return nil }
    self.init(start: start, end: end)
  }

  /// As it is read.
  public var text: String {
    [start, end].map(ScheduleRule.text).joined(separator: "-")
  }

  /// How many minutes it has, 1 to 1440.
  var minutes: Int { start < end ? end - start : 1_440 - start + end }

  /// Whether it holds a minute of the day. One that ends where it begins is the whole day.
  public func contains(minute: Int) -> Bool {
    start < end ? (start..<end).contains(minute) : start == end || minute >= start || minute < end
  }
}

/// As the section `visit` of a profile says it.
extension VisitPolicy {
  /// Reads checked keys; what is missing has its default.
  init(document: JSONObject) {
    every = document["every"].flatMap { ScheduleRule(document: $0) }
    jitter = document["jitter"]?.string.flatMap { PercentText.parse($0) } ?? jitter
    download = document["download"]?.bool ?? download
    clear = document["clear"]?.word() ?? clear
    takesForeign = document["foreign"]?.bool ?? takesForeign
    let spans = document["hours"].map { $0.array ?? [$0] } ?? []
    hours = spans.compactMap { $0.string.flatMap { HoursOfDay($0) } }
  }

  /// Its keys.
  var document: JSONObject {
    var document = JSONObject()
    document["every"] = every?.document
    document["jitter"] = .string(PercentText.format(jitter))
    document["download"] = .bool(download)
    document["clear"] = .string(clear.rawValue)
    document["foreign"] = .bool(takesForeign)
    if !hours.isEmpty { document["hours"] = .array(hours.map { .string($0.text) }) }
    return document
  }
}
