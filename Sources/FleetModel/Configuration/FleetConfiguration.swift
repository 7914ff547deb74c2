/// What the operator wants of this gateway and its boards, read and checked (MQTT contract 7).
public struct FleetConfiguration: Hashable, Sendable {
  /// Who this gateway is.
  public var gateway = GatewayIdentity(id: "gateway", site: nil)
  /// The broker and how to reach it.
  public var mqtt = UplinkConfiguration()
  /// Where and how long things are kept.
  public var storage = StorageConfiguration()
  /// Bounds of the live and record lanes.
  public var lanes = LaneLimits()
  /// Adapters and links.
  public var bluetooth = BluetoothConfiguration()
  /// Things done on a schedule.
  public var schedules = Schedules()
  /// Which boards may join by themselves.
  public var admission = AdmissionPolicy()
  /// Bounds of command queues.
  public var commands = CommandLimits()
  /// The daemon's own log.
  public var log = LogConfiguration()
  /// The profiles by name, inheritance resolved.
  public var profiles: [String: Profile] = [:]
  /// The boards of the file, in its order.
  public var boards: [BoardConfiguration] = []
  /// Hash of the file's content, to see whether two gateways run the same.
  public var hash = ""

  /// All defaults.
  public init() {}
}

/// Who a gateway is.
public struct GatewayIdentity: Hashable, Sendable {
  /// Identifier in topics: `[a-z0-9][a-z0-9_-]{0,31}`.
  public var id: String
  /// Where it stands, for people.
  public var site: String?

  /// Names a gateway.
  public init(id: String, site: String?) {
    self.id = id
    self.site = site
  }
}

/// One broker and one session on it.
public struct UplinkConfiguration: Hashable, Sendable {
  /// Which protocol versions to try.
  public enum ProtocolChoice: String, Sendable, CaseIterable {
    case automatic = "auto"
    case mqtt5 = "5"
    case mqtt311 = "3.1.1"
  }

  /// Name or address of the broker.
  public var host = "localhost"
  /// nil = 1883, with TLS 8883.
  public var port: Int?
  /// nil = no TLS.
  public var tls: TLSConfiguration?
  /// Name to log in with.
  public var username: String?
  /// File whose first line is the password.
  public var passwordFile: String?
  /// First levels of every topic.
  public var base = "metafleet"
  /// nil = `metafleet-<gateway id>`.
  public var clientID: String?
  /// Which protocol versions to try.
  public var protocolChoice = ProtocolChoice.automatic
  /// Keepalive of the connection.
  public var keepalive = Duration.seconds(20)
  /// Limit of one attempt to connect.
  public var connectTimeout = Duration.seconds(30)

  /// All defaults.
  public init() {}
}

/// Files for TLS; all nil = the system's authorities.
public struct TLSConfiguration: Hashable, Sendable {
  public var authority, certificate, key: String?

  /// Names the files.
  public init(authority: String? = nil, certificate: String? = nil, key: String? = nil) {
    self.authority = authority
    self.certificate = certificate
    self.key = key
  }
}

/// Where and how long things are kept.
public struct StorageConfiguration: Hashable, Sendable {
  /// nil = by environment.
  public var directory: String?
  /// Bytes of free space below which streams are no longer spooled.
  public var minimumFree: Int64 = 200_000_000
  /// Bytes and age of the outbox beyond which the oldest records become gaps.
  public var outboxMaximumSize: Int64 = 1_000_000_000
  /// Age of the outbox beyond which the oldest records become gaps.
  public var outboxMaximumAge = Duration.seconds(7 * 86_400)
  /// Messages per second while catching up.
  public var drainPerSecond = 500
  /// How long delivered messages stay replayable.
  public var replay = Duration.seconds(86_400)

  /// All defaults.
  public init() {}
}

/// Bounds of the live and record lanes.
public struct LaneLimits: Hashable, Sendable {
  /// Samples per second of a board's stream on the live lane.
  public var liveRate = 10.0
  /// Samples in a record batch.
  public var maximumSamples = 500
  /// Stream time in a record batch.
  public var maximumSpan = Duration.milliseconds(250)

  /// All defaults.
  public init() {}
}

/// Adapters and links.
public struct BluetoothConfiguration: Hashable, Sendable {
  /// nil = all.
  public var adapters: [AdapterID]?
  /// nil = learned from refusals.
  public var maximumLinksPerAdapter: Int?
  /// Limit of one connection attempt.
  public var connectTimeout = Duration.seconds(20)

  /// All defaults.
  public init() {}
}

/// Things done on a schedule.
public struct Schedules: Hashable, Sendable {
  /// Battery polls of connected boards.
  public var battery = ScheduleRule.every(.seconds(900))

  /// All defaults.
  public init() {}
}

/// Which boards may join by themselves.
public struct AdmissionPolicy: Hashable, Sendable {
  /// Only listed ones, every one, or every one for a while after the start.
  public enum Mode: String, Sendable, CaseIterable { case listed, open, window }

  /// Who may join.
  public var mode = Mode.listed
  /// How long the door stands open after the start.
  public var window = Duration.seconds(120)
  /// Profile for what comes in.
  public var profile: String?

  /// All defaults.
  public init() {}
}

/// Bounds of command queues.
public struct CommandLimits: Hashable, Sendable {
  /// Commands waiting for one board.
  public var queuePerBoard = 32
  /// Commands waiting for all boards of one adapter.
  public var queuePerAdapter = 256

  /// All defaults.
  public init() {}
}
