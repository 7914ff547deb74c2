/// What the retained `adapter` document says.
public struct AdapterReport: Hashable, Sendable {
  /// Which adapter.
  public var id: AdapterID
  /// The system's name (`hci0`).
  public var name: String
  /// `up`, `down`, `blocked`, `missing`, `failed`.
  public var state: String
  /// Places for links.
  public var slotsUsed, slotsTotal: Int
  /// Places as learned from refusals; nil while none was met.
  public var slotsLearned: Int?
  /// The board a connection is being made to.
  public var connecting: BoardID?
  /// How many boards wait for their turn.
  public var waiting: Int
  /// Boards whose links are up.
  public var connected: [BoardID]
  /// Whether it looks for advertisements, and when it last heard one.
  public var isScanning: Bool
  /// When an advertisement was heard last.
  public var lastAdvertisement: Timestamp?
  /// Since the process started.
  public var resets, connectsOK, connectsFailed: Int
  /// The last thing that went wrong.
  public var lastError: StatedReason?
  /// When the last thing went wrong.
  public var lastErrorTime: Timestamp?

  /// Describes an adapter.
  public init(id: AdapterID, name: String, state: String, slotsTotal: Int) {
    self.id = id
    self.name = name
    self.state = state
    self.slotsTotal = slotsTotal
    slotsUsed = 0
    waiting = 0
    connected = []
    isScanning = false
    resets = 0
    connectsOK = 0
    connectsFailed = 0
  }
}
