/// What a board is meant to do and does: what the retained `config` document says (MQTT contract 1.5).
public struct ConfigurationReport: Hashable, Sendable {
  /// Whose.
  public var board: BoardID
  /// When this content last changed.
  public var changed: Timestamp
  /// Name of the profile; nil = none.
  public var profile: String?
  /// What is wanted, and what is known to be on the board.
  public var desired, reported: SetupDeclaration
  /// What was wanted of what is known to be on the board: without the steps that a board rounds values to.
  public var met: SetupDeclaration
  /// What the two differ in, in words: `settings/tx_dbm missing`.
  public var differences: [String]
  /// What verbs changed of the profile.
  public var overlay: [SetupKey]
  /// What stands in the board's slots and is not ours: `logger/3`.
  public var foreign: [String] = []
  /// Taken slots by their names in `info.slots`; empty while nobody has looked.
  public var slotsUsed: [String: Int] = [:]
  /// When the board was last brought to something else.
  public var applied: Timestamp?
  /// What this board cannot have, and why.
  public var error: StatedReason?

  /// Whether the board does what is wanted of it.
  public var isInSync: Bool { differences.isEmpty }

  /// Compares nothing by itself: `differences` are what is known to differ.
  public init(
    board: BoardID, changed: Timestamp, profile: String?, desired: SetupDeclaration,
    reported: SetupDeclaration, met: SetupDeclaration,
    differences: [String], overlay: [SetupKey]
  ) {
    self.board = board
    self.changed = changed
    self.profile = profile
    self.desired = desired
    self.reported = reported
    self.met = met
    self.differences = differences
    self.overlay = overlay
  }
}
