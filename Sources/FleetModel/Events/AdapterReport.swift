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
  /// Boards that wait for their turn.
  public var queue = ConnectionQueue()
  /// Boards whose links are up.
  public var connected: [BoardID]
  /// Packets a second that the desired state of these boards asks their links to carry, all together.
  public var load = 0.0
  /// Whether it looks for advertisements, and when it last heard one.
  public var isScanning: Bool
  /// When an advertisement was heard last; and when the adapter itself was last there, where it is missing.
  public var lastAdvertisement, lastSeen: Timestamp?
  /// Since the process started.
  public var resets, connectsOK, connectsFailed: Int
  /// How often its scan had gone deaf and was restarted, since then.
  public var scanRestarts = 0
  /// The last thing that went wrong, whether it lasts or not; and what is wrong with the scan now.
  public var lastError, scanTrouble: StatedReason?
  /// When the last thing went wrong.
  public var lastErrorTime: Timestamp?

  /// Describes an adapter.
  public init(id: AdapterID, name: String, state: String, slotsTotal: Int) {
    self.id = id
    self.name = name
    self.state = state
    self.slotsTotal = slotsTotal
    slotsUsed = 0
    connected = []
    isScanning = false
    resets = 0
    connectsOK = 0
    connectsFailed = 0
  }

  /// Packets a second that the links of these boards carry, all together.
  public var capacity: Double { Double(connected.count) * LinkLoad.carried }
}
