package import FleetModel

/// Points in time as people read them.
package enum ClockText {
  /// `2025-11-20T20:40:34.567Z`: the proleptic Gregorian calendar by the usual day count (era of 400 years).
  package static func utc(_ time: Timestamp) -> String {
    let milliseconds = time.milliseconds
    let days = floorDivide(milliseconds, 86_400_000)
    let rest = milliseconds - days * 86_400_000
    let shifted = days + 719_468
    let era = floorDivide(shifted, 146_097)
    let day = shifted - era * 146_097
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
    let dayOfYear = day - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
    let calendarMonth = month < 10 ? month + 3 : month - 9
    let calendarYear = year + era * 400 + (calendarMonth <= 2 ? 1 : 0)
    let date = [(calendarYear, 4), (calendarMonth, 2), (dayOfMonth, 2)].map(digits).joined(separator: "-")
    let clock = [(rest / 3_600_000, 2), (rest / 60_000 % 60, 2), (rest / 1_000 % 60, 2)].map(digits)
    return "\(date)T\(clock.joined(separator: ":")).\(digits((rest % 1_000, 3)))Z"
  }

  private static func digits(_ number: (Int64, Int)) -> String {
    let text = String(number.0)
    return String(repeating: "0", count: max(0, number.1 - text.count)) + text
  }

  private static func floorDivide(_ left: Int64, _ right: Int64) -> Int64 {
    left >= 0 ? left / right : (left - right + 1) / right
  }
}
