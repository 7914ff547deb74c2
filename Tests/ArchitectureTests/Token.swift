/// A word or a sign of Swift code.
struct Token: Sendable {
  let text: String
  /// Whether nothing stands between it and the token before: tells `a!` from `a && !b`.
  let isGlued: Bool
}
