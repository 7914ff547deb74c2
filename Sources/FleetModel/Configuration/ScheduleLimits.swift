/// What moves something that is due: it spreads, so that not everything comes at once, and it keeps to hours of the
/// day. Pure, and the same after a restart: the spread is drawn from who it is for and when it was done last.
public struct ScheduleLimits: Hashable, Sendable {
  /// How far it spreads, in percent: around an interval, of it; behind a time of day, of an hour. nil = not said.
  public var jitter: Double?
  /// The parts of the day that it keeps to; empty = all of it.
  public var hours: [HoursOfDay]

  /// What jitter is a share of behind a time of day.
  public static let spreadBehindTime = Duration.seconds(3_600)
  private static let day = Duration.seconds(86_400)

  /// Both.
  public init(jitter: Double? = nil, hours: [HoursOfDay] = []) { (self.jitter, self.hours) = (jitter, hours) }

  /// The same hours, where it is done when somebody comes by anyway.
  var withoutJitter: ScheduleLimits { ScheduleLimits(jitter: 0, hours: hours) }

  /// How long nothing is done for their sake.
  var longestRest: Duration {
    guard !hours.isEmpty else { return .zero }
    return max(.zero, Self.day - .seconds(60 * hours.map(\.minutes).reduce(0, +)))
  }

  /// An interval as it is this time.
  public func spread(_ interval: Duration, since last: Timestamp, of who: String) -> Duration {
    interval * (1 + share * (2 * Self.fraction("\(who) \(last.milliseconds)") - 1))
  }

  /// The own place behind a time of day, in the hours.
  public func place(behind time: Timestamp, in zone: TimeZoneRules, of who: String) -> Timestamp {
    let start = hour(atOrAfter: time, in: zone, of: who)
    return start == time ? spread(behind: time, in: zone, of: who) : start
  }

  /// The first moment in the hours from `time` on. What is over by `now` and was not done waits for them, too.
  public func hour(
    for time: Timestamp, now: Timestamp, in zone: TimeZoneRules, of who: String
  ) -> Timestamp {
    let start = hour(atOrAfter: time, in: zone, of: who)
    return start >= now || isOpen(now, in: zone) ? start : hour(atOrAfter: now, in: zone, of: who)
  }

  private var share: Double { (jitter ?? 0) / 100 }

  /// Those who wait for the beginning of the hours do not come all at once.
  private func hour(atOrAfter time: Timestamp, in zone: TimeZoneRules, of who: String) -> Timestamp {
    guard !isOpen(time, in: zone) else { return time }
    let day = zone.local(time).day
    let starts = [day, day + 1].flatMap { day in hours.map { zone.time(day: day, minute: $0.start) } }
    return starts.filter { $0 > time }.min().map { spread(behind: $0, in: zone, of: who) } ?? time
  }

  /// Always the same, so that it comes as regularly as it is asked to; not behind the end of hours that are shorter.
  private func spread(behind time: Timestamp, in zone: TimeZoneRules, of who: String) -> Timestamp {
    let late = time + Self.spreadBehindTime * (share * Self.fraction(who))
    return isOpen(late, in: zone) ? late : time
  }

  private func isOpen(_ time: Timestamp, in zone: TimeZoneRules) -> Bool {
    let minute = zone.local(time).minute
    return hours.isEmpty || hours.contains { $0.contains(minute: minute) }
  }

  private static func fraction(_ seed: String) -> Double {
    var random = SeededGenerator(seed: StableHash.of(Array(seed.utf8)))
    return random.fraction()
  }
}

/// As it stands behind a rule.
extension ScheduleLimits {
  /// Takes what stands at the end of `words`: a percentage, and then hours; nil where nothing of it does.
  init?(endOf words: inout [String]) {
    var hours: [HoursOfDay] = []
    while let last = words.last, let span = HoursOfDay(last) {
      hours.insert(span, at: 0)
      words.removeLast()
    }
    let jitter = words.last.flatMap { PercentText.parse($0) }
    if jitter != nil { words.removeLast() }
    guard jitter != nil || !hours.isEmpty else { return nil }
    self.init(jitter: jitter, hours: hours)
  }

  /// As it is read.
  var text: String {
    ([jitter.map { PercentText.format($0) }].compactMap { $0 } + hours.map(\.text)).joined(separator: " ")
  }
}
