/// No more than twelve connection attempts to a board in any minute, however they end (fault F02): links that open and
/// break at once, and failures between them, must not add up to a hot loop. Contacts that did what they were for do not
/// count.
struct ConnectRateLimit: Sendable {
  static let limit = 12
  static let window = Duration.seconds(60)

  private var attempts: [Duration] = []

  mutating func spend(at now: Duration) {
    attempts = attempts.suffix(Self.limit - 1) + [now]
  }

  /// What was attempted last was a contact that we ended when it was done.
  mutating func giveBack() { _ = attempts.popLast() }

  /// When the next attempt is allowed; nil if it is now.
  func pause(at now: Duration) -> Duration? {
    guard attempts.count == Self.limit, let oldest = attempts.first else { return nil }
    let end = oldest + Self.window
    return now < end ? end : nil
  }
}
