/// How a board is: what the retained `state` document says. Nil means unknown and is left out.
public struct BoardState: Hashable, Sendable {
  /// Whose.
  public var board: BoardID
  /// When this was so.
  public var time: Timestamp
  /// Where it stands.
  public var link: LinkPhase
  /// Why it is not where it should be.
  public var reason: StatedReason?
  /// The adapter that holds or last held it.
  public var adapter: AdapterID?
  /// Last signal strength heard, dBm.
  public var rssi: Int?
  /// Last battery reading and when it was taken.
  public var batteryPercent, batteryMillivolts: Int?
  /// When the battery was read.
  public var batteryTime: Timestamp?
  /// Whether it charges; boards that can tell.
  public var isCharging: Bool?
  /// How full its log is, percent of its capacity; estimated between readings.
  public var logUsedPercent: Double?
  /// Entries in its log when that was last read.
  public var logEntries: Int?
  /// When its log is expected to be full.
  public var logFull: Timestamp?
  /// Last advertisement or packet; last session that was answered.
  public var lastSeen, lastSession: Timestamp?
  /// When silence becomes suspicious.
  public var nextContact: Timestamp?
  /// Of the last 24 hours.
  public var sessions24h = 0, sessionFailures24h = 0, samplesLost24h = 0
  /// Commands that wait for this board.
  public var commandsWaiting = 0
  /// Stated error of the newest stamps, milliseconds.
  public var clockError: Double?
  /// How far its log clock runs off ours, parts per million.
  public var drift: Double?
  /// Resets seen, from 1.
  public var boot: Int?
  /// Whether it does what is wanted of it, as `config` says.
  public var isInSync: Bool?
  /// What is lastingly wrong with its streams, in their order.
  public var troubles: [StreamTrouble] = []
  /// Firmware revision.
  public var firmware: String?

  /// A board of which nothing is known yet.
  public init(board: BoardID, link: LinkPhase, time: Timestamp) {
    self.board = board
    self.time = time
    self.link = link
  }
}
