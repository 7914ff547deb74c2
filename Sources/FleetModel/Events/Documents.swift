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
  /// When that was.
  public var interviewed: Timestamp?

  /// Says who a board is.
  public init(
    board: BoardID, family: String, name: String, site: String?, profile: String?, groups: [String],
    labels: [String: String], verbs: [String], description: BoardDescription?, interviewed: Timestamp?
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
    self.interviewed = interviewed
  }
}

/// How a board is: what the retained `state` document says. Nil means unknown and is left out.
public struct BoardState: Hashable, Sendable {
  /// Whose.
  public var board: BoardID
  /// Where it stands.
  public var link: LinkPhase
  /// Why it is not where it should be.
  public var reason: String?
  /// The adapter that holds or last held it.
  public var adapter: AdapterID?
  /// Last signal strength heard, dBm.
  public var rssi: Int?
  /// Last battery reading and when it was taken.
  public var batteryPercent, batteryMillivolts: Int?
  public var batteryTime: Timestamp?
  /// Whether it charges; boards that can tell.
  public var isCharging: Bool?
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
  /// Resets seen, from 1.
  public var boot: Int?
  /// Firmware revision.
  public var firmware: String?

  /// A board of which nothing is known yet.
  public init(board: BoardID, link: LinkPhase) {
    self.board = board
    self.link = link
  }
}

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
  public var lastAdvertisement: Timestamp?
  /// Since the process started.
  public var resets, connectsOK, connectsFailed: Int
  /// The last thing that went wrong.
  public var lastError: String?
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

/// What the retained gateway `info` document says.
public struct GatewayInfo: Hashable, Sendable {
  public var site: String?
  public var version: String
  public var host: String
  public var operatingSystem: String
  public var configurationHash: String
  public var started: Timestamp
  public var adapters: [AdapterID]
  public var boards: [BoardID]
  public var admissionMode: String
  public var verbs: [String]

  /// Describes a gateway.
  public init(
    site: String?, version: String, host: String, operatingSystem: String, configurationHash: String,
    started: Timestamp, adapters: [AdapterID], boards: [BoardID], admissionMode: String, verbs: [String]
  ) {
    self.site = site
    self.version = version
    self.host = host
    self.operatingSystem = operatingSystem
    self.configurationHash = configurationHash
    self.started = started
    self.adapters = adapters
    self.boards = boards
    self.admissionMode = admissionMode
    self.verbs = verbs
  }
}
