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
