import ArgumentParser
import FleetModel

/// A point in time as an option: so long ago (`7d`), or a date, with or without time, in UTC.
enum Since: ExpressibleByArgument, Hashable, Sendable {
  case ago(Duration)
  case at(Timestamp)

  init?(argument: String) {
    if let duration = DurationText.parse(argument) {
      self = .ago(duration)
    } else if let time = Self.time(argument) {
      self = .at(time)
    } else {
      return nil
    }
  }

  /// For options: what is no point in time is refused with what one looks like.
  static func parsed(_ text: String) throws -> Since {
    guard let since = Since(argument: text) else {
      throw ValidationError(
        "write how long ago, such as 90m or 7d, or a date, such as 2026-11-20T10:30, in UTC")
    }
    return since
  }

  func time(now: Timestamp) -> Timestamp {
    switch self {
    case .ago(let duration): now - duration
    case .at(let time): time
    }
  }

  /// `2026-11-20`, `2026-11-20T10:30`, `2026-11-20T10:30:05Z`: the proleptic Gregorian calendar.
  private static func time(_ text: String) -> Timestamp? {
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count <= 2 else { return nil }
    let date = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
    guard date.count == 3, let year = date[0], let month = date[1], let day = date[2],
      (1970...2200).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    var seconds: Int64 = 0
    if parts.count == 2 {
      let clock = (parts[1].last == "Z" ? parts[1].dropLast() : parts[1]).split(separator: ":").map {
        Int64($0)
      }
      guard (2...3).contains(clock.count), let hour = clock[0], let minute = clock[1],
        let second = clock.count == 3 ? clock[2] : 0, (0..<24).contains(hour), (0..<60).contains(minute),
        (0...60).contains(second)
      else { return nil }
      seconds = hour * 3_600 + minute * 60 + second
    }
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    return Timestamp(milliseconds: (days * 86_400 + seconds) * 1_000)
  }
}
