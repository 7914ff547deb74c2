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
  /// `5` or `3.1.1`, of the present connection.
  public var mqttProtocol: String
  /// When any of this last changed.
  public var changed: Timestamp

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
