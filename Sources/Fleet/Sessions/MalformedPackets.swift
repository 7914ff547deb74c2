/// When packets that nobody can read make a link worthless: twenty in ten seconds (fault F56). One now and then is
/// only counted.
struct MalformedPackets: Sendable {
  static let limit = 20
  static let window = Duration.seconds(10)

  /// Why the link ends then, in words.
  static let reason =
    "\(limit) packets within \(window.components.seconds) s could not be decoded: they were truncated or malformed"

  private var times: [Duration] = []

  /// Takes one more. Returns whether the link should be made anew.
  mutating func isTooMuch(at now: Duration) -> Bool {
    times = times.filter { now - $0 < Self.window } + [now]
    return times.count >= Self.limit
  }
}
