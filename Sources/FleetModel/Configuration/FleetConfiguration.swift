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
  /// Where newer firmware is looked up.
  public var firmware = FirmwareConfiguration()
  /// What is done for other programs beside the topics.
  public var consumers = ConsumerConfiguration()
  /// The daemon's own log.
  public var log = LogConfiguration()
  /// The profiles by name, inheritance resolved.
  public var profiles: [String: Profile] = [:]
  /// The boards of the file, in its order.
  public var boards: [BoardConfiguration] = []
  /// What `gateway.timezone` names, or the host's: the clocks that schedules go by.
  public var timeZone = TimeZoneRules.utc
  /// Hash of the file's content, to see whether two gateways run the same.
  public var hash = ""

  /// All defaults.
  public init() {}
}

/// As the file says it: checked keys of its declaration, with their defaults.
extension FleetConfiguration {
  /// Its keys.
  package var document: JSONObject {
    [
      "gateway": .object(gateway.document), "mqtt": .object(mqtt.document),
      "storage": .object(storage.document), "lanes": .object(lanes.document),
      "bluetooth": .object(bluetooth.document), "schedules": .object(schedules.document),
      "admission": .object(admission.document), "commands": .object(commands.document),
      "firmware": .object(firmware.document), "homeassistant": .object(consumers.homeAssistant.document),
      "http": .object(consumers.http.document),
      "log": .object(log.document),
      "profiles": .object(
        JSONObject(profiles.sorted { $0.key < $1.key }.map { ($0.key, .object($0.value.document)) })),
      "boards": .array(boards.map { .object($0.document) }),
    ]
  }

  /// Takes over what `document` says of everything but profiles. A section that is missing stays as it is.
  package mutating func take(_ document: JSONObject) {
    for (name, value) in document.members {
      let keys = value.object ?? [:]
      switch name {
      case "gateway": gateway = GatewayIdentity(document: keys, id: gateway.id)
      case "mqtt": mqtt = UplinkConfiguration(document: keys)
      case "storage": storage = StorageConfiguration(document: keys)
      case "lanes": lanes = LaneLimits(document: keys)
      case "bluetooth": bluetooth = BluetoothConfiguration(document: keys)
      case "schedules": schedules = Schedules(document: keys)
      case "admission": admission = AdmissionPolicy(document: keys)
      case "commands": commands = CommandLimits(document: keys)
      case "firmware": firmware = FirmwareConfiguration(document: keys)
      case "homeassistant": consumers.homeAssistant = HomeAssistantConfiguration(document: keys)
      case "http": consumers.http = HTTPConfiguration(document: keys)
      case "log": log = LogConfiguration(document: keys)
      case "boards":
        boards = (value.array ?? []).compactMap { $0.object.flatMap { BoardConfiguration(document: $0) } }
      default: break
      }
    }
  }
}
