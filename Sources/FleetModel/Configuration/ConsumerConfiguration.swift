/// What a gateway does for other programs beside the topics.
public struct ConsumerConfiguration: Hashable, Sendable {
  /// Announcing boards to Home Assistant.
  public var homeAssistant = HomeAssistantConfiguration()
  /// The page, metrics and health over HTTP.
  public var http = HTTPConfiguration()

  /// All defaults.
  public init() {}
}

/// Whether boards announce themselves to Home Assistant, and where it listens (MQTT API 7).
public struct HomeAssistantConfiguration: Hashable, Sendable {
  /// Whether they do.
  public var isAnnounced = false
  /// First levels of Home Assistant's discovery topics.
  public var prefix = "homeassistant"
  /// Whether its entities of firmware can install some: who flashes boards over the air is asked for by name.
  public var installsFirmware = false

  /// All defaults.
  public init() {}
}

/// As the section `homeassistant` of the file says it.
extension HomeAssistantConfiguration {
  /// Reads checked keys; what is missing has its default.
  init(document: JSONObject) {
    isAnnounced = document["discovery"]?.bool ?? isAnnounced
    prefix = document["prefix"]?.string ?? prefix
    installsFirmware = document["firmware_update"]?.bool ?? installsFirmware
  }

  /// Its keys.
  var document: JSONObject {
    [
      "discovery": .bool(isAnnounced), "prefix": .string(prefix), "firmware_update": .bool(installsFirmware),
    ]
  }
}
