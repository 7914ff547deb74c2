import FleetModel
import Foundation
import Glibc

/// Time zones as the host knows them.
enum HostTimeZones {
  /// The years that a gateway may see, as far as rules are known: 2000 to 2100.
  private static let span = (
    start: Timestamp(milliseconds: 946_684_800_000), end: Timestamp(milliseconds: 4_102_444_800_000)
  )

  /// The host's own, as it was when this process first asked: `TZ`, or `/etc/localtime`.
  static let own = TimeZoneRules(from: span.start, to: span.end) { time in
    var seconds = time_t(time.nanoseconds / 1_000_000_000)
    var local = tm()
    return localtime_r(&seconds, &local) == nil ? .zero : .seconds(local.tm_gmtoff)
  }

  /// That of a name, by the rules that the Swift runtime was built with; nil where there is none.
  static func rules(named name: String) -> TimeZoneRules? {
    guard TimeZoneName.isOne(name), let zone = TimeZone(identifier: name) else { return nil }
    return TimeZoneRules(from: span.start, to: span.end) { time in
      let date = Date(timeIntervalSince1970: Double(time.nanoseconds / 1_000_000_000))
      return .seconds(zone.secondsFromGMT(for: date))
    }
  }

  /// The names of all.
  static var names: [String] { TimeZone.knownTimeZoneIdentifiers.filter(TimeZoneName.isOne) + ["UTC"] }
}
