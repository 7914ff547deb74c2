import FleetModel

/// Who a board is: the retained `info` document and what it is made of (MQTT contract 1.1). Pure.
struct BoardIdentity: Sendable {
  let family: String
  /// Verbs the board accepts.
  var permissions: CommandPermissions
  var advertisedName: String?
  /// From the last interview, and when that was.
  var description: BoardDescription?
  var interviewed: Timestamp?
  /// What its chains yielded last.
  var chains: [ChainStream] = []
  /// As it was last published, or will be next.
  private(set) var info: BoardInfo?
  private var isDue = false

  init(
    family: String, permissions: CommandPermissions, advertisedName: String?, description: BoardDescription?,
    interviewed: Timestamp?
  ) {
    (self.family, self.permissions, self.advertisedName) = (family, permissions, advertisedName)
    (self.description, self.interviewed) = (description, interviewed)
  }

  /// Works the document out anew. Returns whether it says something else.
  mutating func update(for desired: DesiredBoard, at now: Timestamp) -> Bool {
    var new = BoardInfo(
      board: desired.board, family: family,
      name: desired.name ?? advertisedName ?? desired.board.address.colonSeparated, site: desired.site,
      profile: desired.profileName, groups: desired.groups, labels: desired.labels,
      verbs: permissions.verbs(on: desired.board, in: desired.groups),
      description: description, chains: chains, interviewed: interviewed, changed: info?.changed ?? now)
    guard new != info else { return false }
    new.changed = now
    info = new
    isDue = true
    return true
  }

  /// The document, where it was not published yet.
  mutating func takeDue() -> BoardInfo? {
    guard isDue else { return nil }
    isDue = false
    return info
  }
}
