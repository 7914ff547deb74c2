/// The identity of a board: what the retained `info` document says.
public struct BoardInfo: Hashable, Sendable {
  /// Whose.
  public var board: BoardID
  /// Family that recognises it.
  public var family: String
  /// Configured name, else advertised name, else address.
  public var name: String
  /// From the configuration.
  public var site, profile: String?
  /// Groups, without `all`.
  public var groups: [String]
  /// From the configuration.
  public var labels: [String: String]
  /// Verbs the board accepts now.
  public var verbs: [String]
  /// From the last interview; nil before the first.
  public var description: BoardDescription?
  /// Whether the index of firmware lists boards of its model and hardware revision; nil while that is not known.
  public var isHardwareListed: Bool?
  /// What its chains yield, in the order of their names.
  public var chains: [ChainStream]
  /// When the last interview was.
  public var interviewed: Timestamp?
  /// When any of this last changed.
  public var changed: Timestamp

  /// Says who a board is.
  public init(
    board: BoardID, family: String, name: String, site: String?, profile: String?, groups: [String],
    labels: [String: String], verbs: [String], description: BoardDescription?, isHardwareListed: Bool? = nil,
    chains: [ChainStream] = [], interviewed: Timestamp?, changed: Timestamp
  ) {
    self.board = board
    self.family = family
    self.name = name
    self.site = site
    self.profile = profile
    self.groups = groups
    self.labels = labels
    self.verbs = verbs
    self.description = description
    self.isHardwareListed = isHardwareListed
    self.chains = chains
    self.interviewed = interviewed
    self.changed = changed
  }
}
