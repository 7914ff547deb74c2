import Support
import Testing

@testable import FleetModel

/// Clocks of places, over the nights in which they are put forward and back.
@Suite struct TimeZoneRulesTests {
  private func time(
    _ zone: TimeZoneRules, _ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int, _ minute: Int
  ) -> Timestamp {
    zone.time(day: Zones.day(year, month, day), minute: hour * 60 + minute)
  }

  @Test func `the offset counts from the moment of a change on`() {
    let spring = Zones.utc(2026, 3, 29, 1)
    #expect(Zones.berlin.offset(at: spring) == .seconds(7_200))
    #expect(Zones.berlin.offset(at: spring - .nanoseconds(1)) == .seconds(3_600))
    #expect(Zones.berlin.offset(at: Zones.utc(2024, 7, 1)) == .seconds(3_600), "before all changes")
    #expect(Zones.berlin.offset(at: Zones.utc(2040, 7, 1)) == .seconds(3_600), "behind all changes")
    #expect(TimeZoneRules.utc.offset(at: spring) == .zero)
  }

  @Test func `F185 a time that does not exist is taken right after the gap`() {
    #expect(time(Zones.berlin, 2026, 3, 29, 1, 59) == Zones.utc(2026, 3, 29, 0, 59))
    for minute in [0, 1, 30, 59] {
      #expect(time(Zones.berlin, 2026, 3, 29, 2, minute) == Zones.utc(2026, 3, 29, 1))
    }
    #expect(time(Zones.berlin, 2026, 3, 29, 3, 1) == Zones.utc(2026, 3, 29, 1, 1))
    // 2026-10-04 02:00 becomes 02:30 there.
    #expect(time(Zones.lordHowe, 2026, 10, 4, 2, 15) == Zones.utc(2026, 10, 3, 15, 30))
    #expect(time(Zones.lordHowe, 2026, 10, 4, 2, 31) == Zones.utc(2026, 10, 3, 15, 31))
  }

  @Test func `F185 of a time that comes twice the first is meant`() {
    #expect(time(Zones.berlin, 2026, 10, 25, 2, 30) == Zones.utc(2026, 10, 25, 0, 30))
    #expect(time(Zones.berlin, 2026, 10, 25, 3, 0) == Zones.utc(2026, 10, 25, 2))
    #expect(time(Zones.sydney, 2026, 4, 5, 2, 30) == Zones.utc(2026, 4, 4, 15, 30))
    #expect(time(Zones.sydney, 2026, 4, 5, 3, 0) == Zones.utc(2026, 4, 4, 17))
  }

  @Test func `a gap may end at midnight`() {
    #expect(time(Zones.nuuk, 2026, 3, 28, 23, 30) == Zones.utc(2026, 3, 29, 1))
    #expect(time(Zones.nuuk, 2026, 3, 29, 0, 0) == Zones.utc(2026, 3, 29, 1))
  }

  @Test func `clocks show what they were asked for, but in gaps`() {
    for zone in [Zones.berlin, Zones.sydney, Zones.kolkata, Zones.lordHowe, .utc] {
      for day in Zones.day(2026, 1, 1)..<Zones.day(2027, 1, 1) {
        let noon = zone.local(zone.time(day: day, minute: 725))
        #expect(noon == TimeZoneRules.LocalTime(day: day, second: 43_500) && noon.minute == 725)
      }
    }
  }

  @Test func `before 1970 days have negative numbers`() {
    let late = TimeZoneRules.utc.local(Timestamp(milliseconds: -1))
    #expect(late == TimeZoneRules.LocalTime(day: -1, second: 86_399))
    let midnight = TimeZoneRules.utc.local(Timestamp(milliseconds: -86_400_000))
    #expect(midnight == TimeZoneRules.LocalTime(day: -1, second: 0))
  }

  @Test func `the ends of time do not trap`() {
    for nanoseconds in [Int64.min, .max] {
      let local = Zones.berlin.local(Timestamp(nanoseconds: nanoseconds))
      #expect((0..<86_400).contains(local.second))
      #expect(Zones.berlin.time(day: local.day, minute: 0) <= Timestamp(nanoseconds: .max))
    }
  }

  @Test func `rules are found by asking for offsets, each change to the second`() {
    let found = TimeZoneRules(from: Zones.utc(2025, 1, 1), to: Zones.utc(2033, 1, 1)) {
      Zones.berlin.offset(at: $0)
    }
    #expect(found == Zones.berlin)
    let none = TimeZoneRules(from: Zones.utc(2025, 1, 1), to: Zones.utc(2033, 1, 1)) { _ in .seconds(19_800) }
    #expect(none == Zones.kolkata)
  }
}
