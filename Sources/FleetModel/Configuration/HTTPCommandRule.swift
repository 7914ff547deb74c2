/// Which verbs may be sent over HTTP (`http.commands`), by whoever has the right to send any. What `commands.allow`
/// says counts besides. Pure.
public struct HTTPCommandRule: Hashable, Sendable {
  /// Verbs that must be named to be allowed: what nobody takes back, and what says anything to a board.
  public static let named: Set<String> = [
    "raw", "factory-reset", "firmware-update", "firmware-abort", "firmware-rollout",
    "rollout-resume", "bootloader",
  ]

  /// Names of verbs, `*` for all but those of `named`; nil is as if it said `*`. Nothing is allowed by an empty list.
  public var verbs: [String]?

  /// Allows what is given.
  public init(verbs: [String]? = nil) { self.verbs = verbs }

  /// Whether anything may be sent.
  public var allowsAny: Bool { verbs?.isEmpty != true }

  /// The first of these verbs that may not be sent; nil where all may.
  public func firstRefused(among verbs: [String]) -> String? { verbs.first { !allows($0) } }

  /// Whether a verb may be sent.
  public func allows(_ verb: String) -> Bool {
    guard let verbs else { return !Self.named.contains(verb) }
    return verbs.contains(verb) || verbs.contains("*") && !Self.named.contains(verb)
  }
}
