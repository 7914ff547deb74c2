/// What the retained gateway `info` document says.
public struct GatewayInfo: Hashable, Sendable {
  /// Where it stands; from the configuration.
  public var site: String?
  /// Version of the program.
  public var version: String
  /// The computer's name.
  public var host: String
  /// The computer's system.
  public var operatingSystem: String
  /// Hash of the configuration file.
  public var configurationHash: String
  /// What lasts and somebody has to see to.
  public var troubles = Troubles()
  /// How the run before this one ended; nil when it was stopped in order.
  public var lastCrash: CrashReport?
  /// When the process started.
  public var started: Timestamp
  /// Since when the gateway is drained, so that no board is connected; nil where it is not.
  public var drained: Timestamp?
  /// Adapters in use.
  public var adapters: [AdapterID]
  /// Boards of this gateway.
  public var boards: [BoardID]
  /// `listed`, `open` or `window`.
  public var admissionMode: String
  /// Verbs the gateway takes.
  public var verbs: [String]
  /// `5` or `3.1.1`, of the present connection.
  public var mqttProtocol: String
  /// When any of this last changed.
  public var changed: Timestamp

  /// What lasts and somebody has to see to.
  public struct Troubles: Hashable, Sendable {
    /// Why the configuration file as it is now is not what counts, in a sentence; nil when it is.
    public var configurationError: String?
    /// Boards that are left alone until somebody confirms that they go.
    public var withheld: [BoardID] = []
    /// Topics whose latest message the broker refused; the first few.
    public var refusedTopics: [String] = []
    /// Why it refused the last of them, in its own words; nil where it refuses nothing.
    public var refusalReason: String?
    /// Topics that the broker does not let the gateway hear.
    public var refusedSubscriptions: [String] = []
    /// Where a damaged database lies that a new one took the place of, for as long as it lies there at the start.
    public var replacedDatabase: String?

    /// Nothing.
    public init() {}
  }

  /// Describes a gateway.
  public init(
    site: String?, version: String, host: String, operatingSystem: String, configurationHash: String,
    started: Timestamp, adapters: [AdapterID], boards: [BoardID], admissionMode: String, verbs: [String],
    mqttProtocol: String, changed: Timestamp
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
    self.mqttProtocol = mqttProtocol
    self.changed = changed
  }
}
