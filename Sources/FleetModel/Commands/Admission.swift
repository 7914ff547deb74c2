/// A board to be admitted, and what is said about it.
public struct Admission: Hashable, Sendable {
  /// Which board.
  public var board: BoardID
  /// What is known of it; nil leaves what was known.
  public var name, site, profile: String?
  /// Groups it belongs to; nil leaves what was known.
  public var groups: [String]?
  /// Its labels; nil leaves what was known.
  public var labels: [String: String]?
  /// Whether we may connect to it; nil leaves what was known.
  public var isEnabled: Bool?

  /// Wants `board` admitted.
  public init(
    board: BoardID, name: String? = nil, site: String? = nil, profile: String? = nil, groups: [String]? = nil,
    labels: [String: String]? = nil, isEnabled: Bool? = nil
  ) {
    self.board = board
    self.name = name
    self.site = site
    self.profile = profile
    self.groups = groups
    self.labels = labels
    self.isEnabled = isEnabled
  }
}
