/// When a page is made, and when the one there is will do: nobody can ask so often that the gateway does little else
/// (fault F228). Times are those that the server runs. Pure.
struct PageFreshness: Sendable {
  /// How old a page may be that is shown again.
  static let longestAge = Duration.seconds(1)

  enum Step: Hashable, Sendable {
    /// The page that there is.
    case show
    /// It is being made.
    case wait
    /// It is to be made.
    case make
  }

  private var made: [PageView: Duration] = [:]
  private var underWay: Set<PageView> = []

  /// Somebody asks for a page.
  mutating func asked(for view: PageView, at now: Duration) -> Step {
    if let time = made[view], now - time < Self.longestAge { return .show }
    return underWay.insert(view).inserted ? .make : .wait
  }

  /// A page was made.
  mutating func made(_ view: PageView, at now: Duration) {
    underWay.remove(view)
    made[view] = now
  }
}
