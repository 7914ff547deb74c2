/// Whether whoever asks knows the token, and how often he may be wrong (fault F238). Times are those that the server
/// runs. Pure.
struct TokenGuard: Sendable {
  /// Wrong tokens of one peer within `period`; further ones, and right ones, are not looked at.
  static let most = 5
  static let period = Duration.seconds(60)
  /// Peers whose mistakes are known.
  static let mostPeers = 1_024

  enum Finding: Hashable, Sendable {
    /// Nothing was said, or there is nothing to be said.
    case none
    case right
    case wrong
    /// Not looked at; after so long it is.
    case tooMany(Duration)
  }

  let token: AccessToken?
  private var mistakes: [Peer: [Duration]] = [:]

  init(_ token: AccessToken?) { self.token = token }

  /// `header` is what the header Authorization says.
  mutating func judge(_ header: String?, from peer: Peer, at now: Duration) -> Finding {
    guard let token, let said = header.flatMap(Self.bearer) else { return .none }
    let known = (mistakes[peer] ?? []).filter { now - $0 < Self.period }
    mistakes[peer] = known.isEmpty ? nil : known
    if known.count >= Self.most, let first = known.first { return .tooMany(Self.period - (now - first)) }
    if token.isEqual(to: said) { return .right }
    makeRoom(at: now)
    mistakes[peer] = known + [now]
    return .wrong
  }

  /// The oldest mistake is forgotten where too many are known.
  private mutating func makeRoom(at now: Duration) {
    guard mistakes.count >= Self.mostPeers else { return }
    mistakes = mistakes.filter { now - ($0.value.last ?? .zero) < Self.period }
    guard mistakes.count >= Self.mostPeers,
      let oldest = mistakes.min(by: { ($0.value.last ?? .zero) < ($1.value.last ?? .zero) })?.key
    else { return }
    mistakes[oldest] = nil
  }

  /// What stands behind `Bearer`; nil for other ways to say who one is.
  private static func bearer(_ header: String) -> Substring? {
    let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard let scheme = parts.first, scheme.lowercased() == "bearer" else { return nil }
    return parts.count == 2 ? parts[1] : ""
  }
}
