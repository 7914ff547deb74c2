/// How a board is: what the retained `state` document says. Nil means unknown and is left out.
public struct BoardState: Hashable, Sendable {
  /// Whose.
  public var board: BoardID
  /// When this was so.
  public var time: Timestamp
  /// Where it stands.
  public var link: LinkPhase
  /// What keeps it from where it should be.
  public var hindrance = Hindrance()
  /// The adapter that holds or last held it.
  public var adapter: AdapterID?
  /// Last signal strength heard, dBm.
  public var rssi: Int?
  /// Its battery as it was last read.
  public var battery = Battery()
  /// Its log, estimated between readings.
  public var log = Log()
  /// When it was heard, and when it is awaited.
  public var contact = Contact()
  /// What was counted in the last 24 hours.
  public var lastDay = LastDay()
  /// What was ordered of it and is not over.
  public var orders = Orders()
  /// Its clock.
  public var clock = ClockState()
  /// Whether it does what is wanted of it, as `config` says.
  public var isInSync: Bool?
  /// What is lastingly wrong with its streams, in their order.
  public var troubles: [StreamTrouble] = []
  /// What it says of itself.
  public var identity = Identity()

  /// A board of which nothing is known yet.
  public init(board: BoardID, link: LinkPhase, time: Timestamp) {
    self.board = board
    self.time = time
    self.link = link
  }

  /// Whether somebody should look after it: it is not where it should be, and nobody ordered that.
  public var isInTrouble: Bool {
    guard orders.maintenance == nil else { return false }
    return reason.map { !$0.code.isOrdered } ?? false || !troubles.isEmpty || identity.doubt != nil
  }

  /// Why it is not where it should be.
  public var reason: StatedReason? {
    get { hindrance.reason }
    set { hindrance.reason = newValue }
  }

  /// What keeps a board from where it should be.
  public struct Hindrance: Hashable, Sendable {
    /// Why; nil when nothing does.
    public var reason: StatedReason?
    /// Since when the code of the reason is the same.
    public var since: Timestamp?
    /// When it ends by itself, where somebody has said so.
    public var until: Timestamp?
  }

  /// What a board says of itself. Nil means unknown.
  public struct Identity: Hashable, Sendable {
    /// Firmware revision.
    public var firmware: String?
    /// That another board than before answers at its address, for as long as nobody says that this is right.
    public var doubt: StatedReason?
  }

  /// What people ordered of a board and is not over.
  public struct Orders: Hashable, Sendable {
    /// Commands that wait for it.
    public var commandsWaiting = 0
    /// While it is being worked on.
    public var maintenance: Maintenance?
  }

  /// A reading of a board's battery. Nil means unknown.
  public struct Battery: Hashable, Sendable {
    /// How full it is.
    public var percent: Int?
    /// Its voltage.
    public var millivolts: Int?
    /// When it was read.
    public var time: Timestamp?
    /// Whether it charges; boards that can tell.
    public var isCharging: Bool?
  }

  /// How full a board's log is. Nil means unknown.
  public struct Log: Hashable, Sendable {
    /// Percent of its capacity.
    public var usedPercent: Double?
    /// Entries in it.
    public var entries: Int?
    /// When it is expected to be full.
    public var full: Timestamp?
  }

  /// When a board was heard, and when it is awaited. Nil means never.
  public struct Contact: Hashable, Sendable {
    /// Last advertisement or packet.
    public var lastSeen: Timestamp?
    /// Last session that was answered.
    public var lastSession: Timestamp?
    /// When silence becomes suspicious.
    public var next: Timestamp?
  }

  /// What was counted in the last 24 hours.
  public struct LastDay: Hashable, Sendable {
    /// Sessions that were answered.
    public var sessions = 0
    /// Those that failed.
    public var sessionFailures = 0
    /// Samples known to be lost.
    public var samplesLost = 0
  }

  /// A board's clock. Nil means unknown.
  public struct ClockState: Hashable, Sendable {
    /// Stated error of the newest stamps, milliseconds.
    public var error: Double?
    /// How far its log clock runs off ours, parts per million.
    public var drift: Double?
    /// Resets seen, from 1.
    public var boot: Int?
  }
}
