import FleetModel

/// When a board is due for its next contact (MQTT contract 7.3, 7.4). Pure, and the same after a restart: the spread is
/// drawn from who the board is and when it was visited last.
struct Schedule: Hashable, Sendable {
  /// What is known of a board.
  struct Facts: Hashable, Sendable {
    /// When a contact last did all that it was for.
    var lastContact: Timestamp?
    /// When its log is expected to be as full as it may become.
    var logLimit: Timestamp?
    /// When a download that failed is tried again.
    var retry: Timestamp?
    var batteryPercent: Int?
  }

  var board: BoardID
  var visit: VisitPolicy
  /// How often its streams are read; nil when none are.
  var readPeriod: Duration?
  /// When its battery is due; never for a board whose link is held.
  var battery = Schedules().battery

  /// From this charge on, the log is downloaded twice as often: they may be the last (fault F51).
  static let lowBattery = 20
  /// A board that would need more contacts than this cannot be helped by contacts.
  static let leastPause = Duration.seconds(60)
  /// A board without any other reason is asked how full its battery is (MQTT contract 7.3).
  static let longestPause = Duration.seconds(86_400)
  /// What contacts spread over behind a time of day, where the jitter is 100 %.
  private static let spreadBehindTime = Duration.seconds(3_600)

  /// The planned time between two contacts; nil when nothing asks for any.
  var period: Duration? {
    [visit.every?.longestPause, readPeriod, battery.longestPause.map { _ in Self.longestPause }]
      .compactMap { $0 }.min()
  }

  /// The same where there is a contact anyway: what would be due a little later rides on it.
  var onContact: Schedule {
    var schedule = self
    (schedule.visit.every, schedule.battery) = (visit.every?.onContact, battery.onContact)
    schedule.readPeriod = readPeriod.map { $0 * 9 / 10 }
    return schedule
  }

  /// The next contact; nil = none by itself.
  func due(_ facts: Facts, now: Timestamp, in zone: TimeZoneRules) -> Timestamp? {
    guard period != nil || facts.retry != nil else { return nil }
    // A contact that lies a day ahead was one by a clock that was wrong and was set back (fault F186).
    guard let last = facts.lastContact, !now.isPlausible || last - now <= Self.longestPause else {
      return period == nil ? facts.retry : hour(atOrAfter: now, in: zone)
    }
    let isLow = facts.batteryPercent.map { $0 <= Self.lowBattery } ?? false
    let planned: [Timestamp?] = [
      visit.every.flatMap { visitTime($0, after: last, isLow: isLow, now: now, in: zone) },
      readPeriod.flatMap { ScheduleRule.every($0).due(after: last, now: now, in: zone) },
      batteryContact(battery, after: last, now: now, in: zone),
      visit.download ? facts.logLimit.map { max($0, last + Self.leastPause) } : nil, facts.retry,
    ]
    return planned.compactMap { $0 }.min().map { hour(atOrAfter: $0, in: zone) }
  }

  /// From when on a contact that was due is missed.
  func tolerance() -> Duration {
    let longest =
      switch visit.every {
      case .every(let interval)?: interval
      case nil, .never?: Duration.zero
      case .daily?, .weekly?, .any?: Self.spreadBehindTime
      }
    return max(Self.leastPause, longest * (visit.jitter / 100))
  }
}

// What contacts are for.
extension Schedule {
  private func visitTime(
    _ rule: ScheduleRule, after last: Timestamp, isLow: Bool, now: Timestamp, in zone: TimeZoneRules
  ) -> Timestamp? {
    switch rule {
    case .every(let interval):
      return ScheduleRule.every(spread(interval, since: last) / (isLow ? 2 : 1))
        .due(after: last, now: now, in: zone)
    case .daily, .weekly:
      guard let time = rule.due(after: last, now: now, in: zone), let pause = rule.longestPause else {
        return nil
      }
      let late = place(behind: time, in: zone)
      return isLow ? min(late, last + pause / 2) : late
    case .never: return nil
    case .any(let rules):
      return rules.compactMap { visitTime($0, after: last, isLow: isLow, now: now, in: zone) }.min()
    }
  }

  /// The contact that the battery alone is worth: none for intervals of less than a day, and of several times on one
  /// day only the first that no other contact came before.
  private func batteryContact(
    _ rule: ScheduleRule, after last: Timestamp, now: Timestamp, in zone: TimeZoneRules
  ) -> Timestamp? {
    switch rule {
    case .every(let interval):
      return ScheduleRule.every(max(interval, Self.longestPause)).due(after: last, now: now, in: zone)
    case .daily, .weekly:
      // Clocks that are put forward make a day an hour shorter, and a contact takes its time.
      let from = last + Self.longestPause - .seconds(2 * 3_600)
      return rule.due(after: from, now: max(now, from), in: zone).map { place(behind: $0, in: zone) }
    case .never: return nil
    case .any(let rules):
      return rules.compactMap { batteryContact($0, after: last, now: now, in: zone) }.min()
    }
  }
}

// When they may be, and how they spread.
extension Schedule {
  private func spread(_ every: Duration, since last: Timestamp) -> Duration {
    every * (1 + visit.jitter / 100 * (2 * fraction("\(board) \(last.milliseconds)") - 1))
  }

  /// The board's own place behind a time of day: always the same, so that it comes as regularly as it is asked to.
  private var spreadBehindTime: Duration {
    Self.spreadBehindTime * (visit.jitter / 100 * fraction("\(board)"))
  }

  private func fraction(_ seed: String) -> Double {
    var random = SeededGenerator(seed: StableHash.of(Array(seed.utf8)))
    return random.fraction()
  }

  /// The board's place behind a time of day, in the hours of visits.
  private func place(behind time: Timestamp, in zone: TimeZoneRules) -> Timestamp {
    let start = hour(atOrAfter: time, in: zone)
    return start == time ? spread(behind: time, in: zone) : start
  }

  /// The first moment in the hours of visits. Boards that wait for their beginning do not come all at once.
  private func hour(atOrAfter time: Timestamp, in zone: TimeZoneRules) -> Timestamp {
    guard !isWithinHours(time, in: zone) else { return time }
    let day = zone.local(time).day
    let starts = [day, day + 1].flatMap { day in visit.hours.map { zone.time(day: day, minute: $0.start) } }
    return starts.filter { $0 > time }.min().map { spread(behind: $0, in: zone) } ?? time
  }

  /// Not behind the end of the hours of visits, where these are shorter than the spread.
  private func spread(behind time: Timestamp, in zone: TimeZoneRules) -> Timestamp {
    let late = time + spreadBehindTime
    return isWithinHours(late, in: zone) ? late : time
  }

  private func isWithinHours(_ time: Timestamp, in zone: TimeZoneRules) -> Bool {
    let minute = zone.local(time).minute
    return visit.hours.isEmpty || visit.hours.contains { $0.contains(minute: minute) }
  }
}
