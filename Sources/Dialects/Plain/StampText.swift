package import FleetModel

/// Times as ISO 8601 with microseconds, in one buffer: the seconds are written once for all samples in them.
package struct StampText: Sendable {
  private var second = Int64.min
  /// The time that was set last: `2026-11-20T20:40:34.123456Z`.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func set(_ time: Timestamp) {
    let microseconds = time.microseconds
    var whole = microseconds / 1_000_000
    var rest = microseconds % 1_000_000
    if rest < 0 { (whole, rest) = (whole - 1, rest + 1_000_000) }
    if whole != second {
      second = whole
      bytes =
        Array(ClockText.utc(Timestamp(milliseconds: whole * 1_000)).utf8.dropLast(4)) + Array("000000Z".utf8)
    }
    var left = UInt32(truncatingIfNeeded: rest)
    for place in 2...7 {
      bytes[bytes.count - place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: left % 10)
      left /= 10
    }
  }
}
