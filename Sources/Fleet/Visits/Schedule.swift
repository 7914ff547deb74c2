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
    /// Since when the battery is low; nil where it is not.
    var lowSince: Timestamp?
    /// Whether there may be something to download.
    var hasLog = false
  }

  var board: BoardID
  var visit: VisitPolicy
  /// When its streams are read; never when none are.
  var reads = ScheduleRule.never
  /// When its battery is due; never for a board whose link is held.
  var battery = Schedules().battery

  /// A board that would need more contacts than this cannot be helped by contacts.
  static let leastPause = Duration.seconds(60)
  /// A board without any other reason is asked how full its battery is (MQTT contract 7.3).
  static let longestPause = Duration.seconds(86_400)

  /// The planned time between two contacts; nil when nothing asks for any.
  var period: Duration? {
    [visit.every?.longestPause, reads.longestPause, battery.longestPause.map { _ in Self.longestPause }]
      .compactMap { $0 }.min()
  }

  /// The same where there is a contact anyway: what would be due a little later rides on it.
  var onContact: Schedule {
    var schedule = self
    (schedule.visit.every, schedule.battery) = (visit.every?.onContact, battery.onContact)
    schedule.reads = reads.onContact
    return schedule
  }

  /// The next contact; nil = none by itself.
  func due(_ facts: Facts, now: Timestamp, in zone: TimeZoneRules) -> Timestamp? {
    guard period != nil || facts.retry != nil else { return nil }
    // A contact that lies a day ahead was one by a clock that was wrong and was set back (fault F186).
    guard let last = facts.lastContact, !now.isPlausible || last - now <= Self.longestPause else {
      return period == nil ? facts.retry : limits.hour(for: now, now: now, in: zone, of: who)
    }
    // With a low battery the log is downloaded at once, and then twice as often: each may be the last (fault F51).
    let isLow = facts.lowSince != nil
    let rescue = facts.lowSince.flatMap { facts.hasLog && $0.milliseconds > last.milliseconds ? $0 : nil }
    let planned: [Timestamp?] = [
      visit.every.flatMap { visitTime($0, after: last, isLow: isLow, now: now, in: zone) },
      readContact(reads, after: last, now: now, in: zone),
      batteryContact(battery, after: last, now: now, in: zone),
      visit.download ? facts.logLimit.map { max($0, last + Self.leastPause) } : nil,
      visit.download ? rescue : nil, facts.retry,
    ]
    return planned.compactMap { $0 }.min().map { limits.hour(for: $0, now: now, in: zone, of: who) }
  }

  /// From when on a contact that was due is missed.
  func tolerance() -> Duration {
    max(Self.leastPause, visit.every.map { spread(of: $0, visit.jitter) } ?? .zero)
  }

  private func spread(of rule: ScheduleRule, _ jitter: Double) -> Duration {
    switch rule {
    case .every(let interval): interval * (jitter / 100)
    case .never: .zero
    case .daily, .weekly, .any: ScheduleLimits.spreadBehindTime * (jitter / 100)
    case .limited(let rule, let own): spread(of: rule, own.jitter ?? jitter)
    }
  }

  /// For whom things spread.
  var who: String { "\(board)" }

  /// What moves a contact.
  private var limits: ScheduleLimits { ScheduleLimits(jitter: visit.jitter, hours: visit.hours) }
}

// What contacts are for.
extension Schedule {
  private func visitTime(
    _ rule: ScheduleRule, after last: Timestamp, isLow: Bool, now: Timestamp, in zone: TimeZoneRules
  ) -> Timestamp? {
    switch rule {
    case .every(let interval):
      return ScheduleRule.every(limits.spread(interval, since: last, of: who) / (isLow ? 2 : 1))
        .due(after: last, now: now, in: zone)
    case .daily, .weekly:
      guard let time = rule.due(after: last, now: now, in: zone), let pause = rule.longestPause else {
        return nil
      }
      let late = limits.place(behind: time, in: zone, of: who)
      return isLow ? min(late, last + pause / 2) : late
    case .limited(let rule, let own):
      var schedule = self
      schedule.visit.jitter = own.jitter ?? visit.jitter
      let time = schedule.visitTime(rule, after: last, isLow: isLow, now: now, in: zone)
      return time.map { own.hour(for: $0, now: now, in: zone, of: who) }
    case .never: return nil
    case .any(let rules):
      return rules.compactMap { visitTime($0, after: last, isLow: isLow, now: now, in: zone) }.min()
    }
  }

  /// The contact that the streams are worth which are only read: an interval is kept as it is, at a time of day boards
  /// do not come all at once.
  private func readContact(
    _ rule: ScheduleRule, after last: Timestamp, now: Timestamp, in zone: TimeZoneRules
  ) -> Timestamp? {
    switch rule {
    case .daily, .weekly:
      return rule.due(after: last, now: now, in: zone).map { limits.place(behind: $0, in: zone, of: who) }
    case .any(let rules):
      return rules.compactMap { readContact($0, after: last, now: now, in: zone) }.min()
    case .every, .limited, .never: return rule.due(after: last, now: now, in: zone, of: who)
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
      return rule.due(after: from, now: max(now, from), in: zone)
        .map { limits.place(behind: $0, in: zone, of: who) }
    case .limited(let rule, let own):
      return batteryContact(rule, after: last, now: now, in: zone)
        .map { own.hour(for: $0, now: now, in: zone, of: who) }
    case .never: return nil
    case .any(let rules):
      return rules.compactMap { batteryContact($0, after: last, now: now, in: zone) }.min()
    }
  }
}
