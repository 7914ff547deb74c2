package import FleetModel

/// Time zones of tests, by the rules that are law there; changes of the years 2025 to 2032.
package enum Zones {
  private static let years: ClosedRange<Int64> = 2025...2032

  /// Summer time between the last Sundays of March and October, 01:00 UTC.
  package static let berlin = europe(winter: 3_600)
  /// The same, where clocks go from 23:00 of Saturday to midnight, and back.
  package static let nuuk = europe(winter: -7_200)
  /// South of the equator: summer begins in October.
  package static let sydney = TimeZoneRules(
    .seconds(39_600),
    years.flatMap { year in
      [
        TimeZoneRules.Change(at: sunday(1, year, 4) - .seconds(28_800), .seconds(36_000)),
        TimeZoneRules.Change(at: sunday(1, year, 10) - .seconds(28_800), .seconds(39_600)),
      ]
    })
  /// Half an hour of summer time.
  package static let lordHowe = TimeZoneRules(
    .seconds(39_600),
    years.flatMap { year in
      [
        TimeZoneRules.Change(at: sunday(1, year, 4) - .seconds(32_400), .seconds(37_800)),
        TimeZoneRules.Change(at: sunday(1, year, 10) - .seconds(30_600), .seconds(39_600)),
      ]
    })
  /// Half an hour beside the others, without summer time.
  package static let kolkata = TimeZoneRules(.seconds(19_800))

  /// A time by UTC.
  package static func utc(_ year: Int64, _ month: Int64, _ day: Int64, _ hour: Int64 = 0, _ minute: Int64 = 0)
    -> Timestamp
  {
    Timestamp(
      milliseconds: (self.day(year, month, day) * 86_400 + hour * 3_600 + minute * 60) * 1_000)
  }

  /// Days since 1970-01-01, of a date from 1970 on.
  package static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    // March is the first month of a year that ends with its leap day.
    let (counted, moved) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
    let leaps = counted / 4 - counted / 100 + counted / 400
    return counted * 365 + leaps + (153 * moved + 2) / 5 + day - 719_469
  }

  private static func europe(winter: Int64) -> TimeZoneRules {
    TimeZoneRules(
      .seconds(winter),
      years.flatMap { year in
        [
          TimeZoneRules.Change(at: sunday(0, year, 4) + .seconds(3_600), .seconds(winter + 3_600)),
          TimeZoneRules.Change(at: sunday(0, year, 11) + .seconds(3_600), .seconds(winter)),
        ]
      })
  }

  /// Midnight UTC of the first Sunday of a month (1), or of the last one before it (0).
  private static func sunday(_ number: Int64, _ year: Int64, _ month: Int64) -> Timestamp {
    let first = day(year, month, 1)
    // 1970-01-04 was one.
    let sunday = first + (10 - first % 7) % 7 + (number - 1) * 7
    return Timestamp(milliseconds: sunday * 86_400_000)
  }
}
