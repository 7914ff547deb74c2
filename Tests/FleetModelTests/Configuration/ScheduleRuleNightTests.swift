import Support
import Testing

@testable import FleetModel

/// Over nights in which clocks are put forward or back, and over hosts' clocks that are set.
@Suite struct ScheduleRuleNightTests {
  /// When `rule` is due from `start` on, each time done at once.
  private func times(
    _ rule: ScheduleRule, _ zone: TimeZoneRules, from start: Timestamp, _ count: Int
  ) -> [Timestamp] {
    (0..<count).reduce(into: [start]) { times, _ in
      guard let last = times.last, let due = rule.due(after: last, now: last, in: zone) else { return }
      times.append(due)
    }.dropFirst().map { $0 }
  }

  @Test
  func `F185 daily 02:30 is due once in the night that lacks it, and once in the night that has it twice`() {
    let rule = ScheduleRule.daily(minute: 150)
    #expect(
      times(rule, Zones.berlin, from: Zones.utc(2026, 3, 27, 12), 3) == [
        Zones.utc(2026, 3, 28, 1, 30), Zones.utc(2026, 3, 29, 1), Zones.utc(2026, 3, 30, 0, 30),
      ])
    #expect(
      times(rule, Zones.berlin, from: Zones.utc(2026, 10, 24, 12), 2) == [
        Zones.utc(2026, 10, 25, 0, 30), Zones.utc(2026, 10, 26, 1, 30),
      ])
    // Done while clocks show 02:45 for the first time: 02:30 comes again, and counts no more.
    #expect(
      rule.due(after: Zones.utc(2026, 10, 25, 0, 45), now: Zones.utc(2026, 10, 25, 1, 30), in: Zones.berlin)
        == Zones.utc(2026, 10, 26, 1, 30))
  }

  @Test func `F185 south of the equator it is the other way round`() {
    let rule = ScheduleRule.daily(minute: 150)
    #expect(
      times(rule, Zones.sydney, from: Zones.utc(2026, 10, 3, 0), 2) == [
        Zones.utc(2026, 10, 3, 16), Zones.utc(2026, 10, 4, 15, 30),
      ])
    #expect(
      times(rule, Zones.sydney, from: Zones.utc(2026, 4, 4, 0), 2) == [
        Zones.utc(2026, 4, 4, 15, 30), Zones.utc(2026, 4, 5, 16, 30),
      ])
  }

  @Test func `F185 weekly in the very night is due once, and the next one a week of clocks later`() {
    let rule = ScheduleRule.weekly(weekday: 6, minute: 150)
    #expect(
      times(rule, Zones.berlin, from: Zones.utc(2026, 3, 23), 2) == [
        Zones.utc(2026, 3, 29, 1), Zones.utc(2026, 4, 5, 0, 30),
      ])
    #expect(
      times(rule, Zones.berlin, from: Zones.utc(2026, 10, 19), 2) == [
        Zones.utc(2026, 10, 25, 0, 30), Zones.utc(2026, 11, 1, 1, 30),
      ])
  }

  @Test func `F185 a time in a gap that ends at midnight is due once all the same`() {
    #expect(
      times(.daily(minute: 1_410), Zones.nuuk, from: Zones.utc(2026, 3, 28, 12), 3) == [
        Zones.utc(2026, 3, 29, 1), Zones.utc(2026, 3, 30, 0, 30), Zones.utc(2026, 3, 31, 0, 30),
      ])
  }

  @Test func `a leap day is a day like others, and half-hour zones are zones like others`() {
    #expect(
      times(.daily(minute: 0), Zones.kolkata, from: Zones.utc(2028, 2, 28, 12), 3) == [
        Zones.utc(2028, 2, 28, 18, 30), Zones.utc(2028, 2, 29, 18, 30), Zones.utc(2028, 3, 1, 18, 30),
      ])
    // 2028-02-29 is a Tuesday.
    #expect(
      times(.weekly(weekday: 1, minute: 720), .utc, from: Zones.utc(2028, 2, 23), 2) == [
        Zones.utc(2028, 2, 29, 12), Zones.utc(2028, 3, 7, 12),
      ])
  }

  @Test func `intervals are of time that passes, whatever clocks do`() {
    let start = Zones.utc(2026, 3, 29, 0, 30)
    #expect(
      times(.every(.seconds(3_600)), Zones.berlin, from: start, 2) == [
        start + .seconds(3_600), start + .seconds(7_200),
      ])
  }

  @Test(arguments: [1, 2, 3] as [UInt64], [Zones.berlin, Zones.sydney, Zones.kolkata, Zones.lordHowe, .utc])
  func `F185 a daily rule is met once on each day of three years, and never early`(
    seed: UInt64, zone: TimeZoneRules
  ) throws {
    var random = SeededGenerator(seed: seed)
    let minute = Int(random.next() % 1_440)
    let rule = ScheduleRule.daily(minute: minute)
    var last = Zones.utc(2026, 1, 1, 20)
    var day = zone.local(try #require(rule.due(after: last, now: last, in: zone))).day
    let end = Zones.utc(2029, 1, 2)
    while last < end {
      let due = try #require(rule.due(after: last, now: last, in: zone))
      let local = zone.local(due)
      #expect(local.day == day && local.minute >= minute, "seed \(seed), minute \(minute)")
      #expect(due > last && local.minute - minute <= 60, "seed \(seed), minute \(minute)")
      // Done up to two hours late.
      last = due + .seconds(Int64(random.next() % 7_200))
      day += 1
    }
  }

  @Test func `F186 a clock that is set back does nothing twice on one day`() {
    let rule = ScheduleRule.daily(minute: 180)
    let done = Zones.utc(2026, 6, 10, 3)
    let tomorrow = Zones.utc(2026, 6, 11, 3)
    for hours in [1, 5, 20] as [Int64] {
      #expect(rule.due(after: done, now: done - .seconds(hours * 3_600), in: .utc) == tomorrow)
    }
  }

  @Test func `F186 a clock that was far ahead and is set back keeps nothing waiting`() {
    let (now, last) = (Zones.utc(2026, 6, 10), Zones.utc(2031, 1, 1))
    for rule in [ScheduleRule.daily(minute: 180), .weekly(weekday: 0, minute: 0), .every(.seconds(900))] {
      #expect(rule.due(after: last, now: now, in: .utc) == now)
    }
    // Ten minutes: of a quarter of an hour nobody knows how much has passed.
    let rule = ScheduleRule.every(.seconds(900))
    #expect(rule.due(after: now + .seconds(600), now: now, in: .utc) == now)
    #expect(rule.due(after: now + .seconds(1), now: now, in: .utc) == now + .seconds(901))
  }

  @Test func `F186 times of day wait for a clock that nobody has set yet`() throws {
    let last = Zones.utc(2026, 6, 10, 3)
    let due = try #require(
      ScheduleRule.daily(minute: 180).due(after: last, now: .init(milliseconds: 5_000), in: .utc))
    #expect(due == Zones.utc(2026, 6, 11, 3))
  }

  @Test func `F186 a clock that is set forward has what was skipped done once`() throws {
    let rule = ScheduleRule.daily(minute: 180)
    let now = Zones.utc(2026, 6, 13, 10)
    let due = try #require(rule.due(after: Zones.utc(2026, 6, 10, 3), now: now, in: .utc))
    #expect(due <= now)
    #expect(rule.due(after: now, now: now, in: .utc) == Zones.utc(2026, 6, 14, 3))
  }
}
