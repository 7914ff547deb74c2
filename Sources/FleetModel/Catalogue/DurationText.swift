/// Durations as people write them: `90s`, `1h30m`, `0.5s` (MQTT contract 7.1).
public enum DurationText {
  private static let units: [(name: String, seconds: Double)] = [
    ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400), ("w", 604_800),
  ]

  /// Reads one or more of number and unit; nil when it is not a duration or longer than 100 years.
  public static func parse(_ text: String) -> Duration? {
    var rest = Substring(text)
    var total = 0.0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      rest = rest.dropFirst(digits.count)
      let letters = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(letters.count)
      guard let amount = Double(digits), let unit = units.first(where: { $0.name == letters }) else {
        return nil
      }
      total += amount * unit.seconds
    }
    guard total <= 100 * 365.25 * 86_400 else { return nil }
    return .nanoseconds(Int64((total * 1e9).rounded()))
  }

  /// Writes a duration in the shortest exact form, at most to the millisecond: `1h30m`, `250ms`.
  public static func format(_ duration: Duration) -> String {
    var milliseconds = max(0, duration.wholeMilliseconds)
    if milliseconds == 0 { return "0s" }
    var text = ""
    for (name, size) in [("d", Int64(86_400_000)), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)]
    where milliseconds >= size {
      text += "\(milliseconds / size)\(name)"
      milliseconds %= size
    }
    return text
  }

  /// Writes a duration for people: to the millisecond below a second, to the second below ten minutes, else to the
  /// minute.
  public static func rounded(_ duration: Duration) -> String {
    let (milliseconds, step) = steps(of: duration)
    return format(.milliseconds((milliseconds + step / 2) / step * step))
  }

  /// Writes how long to wait: rounded as coarsely, but never to less, so that who waits that long has waited enough.
  public static func roundedUp(_ duration: Duration) -> String {
    let (milliseconds, step) = steps(of: duration)
    return format(.milliseconds((milliseconds + step - 1) / step * step))
  }

  private static func steps(of duration: Duration) -> (milliseconds: Int64, step: Int64) {
    let milliseconds = max(0, duration.wholeMilliseconds)
    return (milliseconds, milliseconds < 1_000 ? 1 : milliseconds < 600_000 ? 1_000 : 60_000)
  }
}
