/// A board of the file.
public struct BoardConfiguration: Hashable, Sendable {
  /// Which board.
  public var board: BoardID
  public var name, site, profile: String?
  /// Groups it belongs to.
  public var groups: [String] = []
  /// Labels for people and dashboards.
  public var labels: [String: String] = [:]
  /// Adapter it must use; nil = any.
  public var adapter: AdapterID?
  /// Whether we may connect to it.
  public var isEnabled = true

  /// Lists a board.
  public init(board: BoardID) { self.board = board }
}
