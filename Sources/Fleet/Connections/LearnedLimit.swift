/// How many links an adapter carries, as its refusals say (fault F22). Pure.
///
/// A refusal may have a cause that is over a moment later: links that the system still counted, or another program's.
/// So it is doubted soon: one link more is tried, later each time that is refused again, and a link that comes up
/// disproves the limit altogether.
struct LearnedLimit: Hashable, Sendable {
  /// Links that were up when one more was refused; at least 1, or nobody would ever try again.
  let links: Int
  /// From when on, by uptime, one link more is tried.
  let doubtful: Duration
  /// Refusals in a row, none of which was disproved.
  private let refusals: Int

  static let shortestPause = Duration.seconds(10)
  static let longestPause = Duration.seconds(600)

  /// One link more than `links` was refused at `now`; `earlier`: the limit until then.
  init(links: Int, after earlier: LearnedLimit? = nil, at now: Duration) {
    self.links = max(1, links)
    refusals = min((earlier?.refusals ?? 0) + 1, 16)
    doubtful = now + min(Self.shortestPause * (1 << (refusals - 1)), Self.longestPause)
  }

  /// Whether one more than `count` links may be tried.
  func allows(moreThan count: Int, at now: Duration) -> Bool { count < links || now >= doubtful }

  /// What is left of it with so many links up.
  func held(by count: Int) -> LearnedLimit? { count > links ? nil : self }
}
