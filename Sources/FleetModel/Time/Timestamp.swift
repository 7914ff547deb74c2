/// A point in time: nanoseconds since the Unix epoch, UTC.
///
/// How good a stamp is belongs to the batch that carries it (`ClockQuality`), never to the number. Arithmetic stops at
/// the ends of the range, the years 1677 and 2262, instead of trapping or wrapping.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Nanoseconds since 1970-01-01T00:00:00Z.
  public var nanoseconds: Int64

  /// Takes nanoseconds since the Unix epoch.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Takes milliseconds since the Unix epoch.
  public init(milliseconds: Int64) {
    let (product, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    nanoseconds = overflow ? (milliseconds < 0 ? .min : .max) : product
  }

  /// Microseconds since the Unix epoch, as `ts_us` carries them.
  public var microseconds: Int64 { nanoseconds / 1_000 }

  /// Milliseconds since the Unix epoch, as `ts_ms` carries them.
  public var milliseconds: Int64 { nanoseconds / 1_000_000 }

  /// Whether a host's clock that shows this may be right: one that nobody has set shows 1970 (fault F47).
  public var isPlausible: Bool { milliseconds >= Self.january2020 }

  package static let january2020: Int64 = 1_577_836_800_000

  /// Orders by number.
  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.nanoseconds < right.nanoseconds }

  /// A later time.
  public static func + (time: Timestamp, duration: Duration) -> Timestamp {
    let (sum, overflow) = time.nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
    return Timestamp(nanoseconds: overflow ? (time.nanoseconds < 0 ? .min : .max) : sum)
  }

  /// An earlier time.
  public static func - (time: Timestamp, duration: Duration) -> Timestamp {
    let (difference, overflow) = time.nanoseconds.subtractingReportingOverflow(duration.wholeNanoseconds)
    return Timestamp(nanoseconds: overflow ? (time.nanoseconds < 0 ? .min : .max) : difference)
  }

  /// The time between two.
  public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
    let (distance, overflow) = later.nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
    return .nanoseconds(overflow ? (later.nanoseconds < 0 ? .min : .max) : distance)
  }
}

extension Duration {
  /// The duration in nanoseconds, held at the ends of the range (±292 years) instead of trapping.
  public var wholeNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? .min : .max }
    let (sum, isOutOfRange) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isOutOfRange ? (seconds < 0 ? .min : .max) : sum
  }

  /// The duration in whole milliseconds, cut towards zero.
  public var wholeMilliseconds: Int64 { wholeNanoseconds / 1_000_000 }

  /// The duration in seconds.
  public var inSeconds: Double { Double(wholeNanoseconds) / 1_000_000_000 }
}
