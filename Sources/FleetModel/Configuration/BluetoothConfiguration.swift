/// Adapters and links.
public struct BluetoothConfiguration: Hashable, Sendable {
  /// nil = all.
  public var adapters: [AdapterID]?
  /// nil = learned from refusals.
  public var maximumLinksPerAdapter: Int?
  /// Limit of one connection attempt.
  public var connectTimeout = Duration.seconds(20)
  /// Whether scans may receive nothing for long although boards are missing.
  public var isSilenceNormal = false

  /// All defaults.
  public init() {}
}

/// As the section `bluetooth` of the file says it.
extension BluetoothConfiguration {
  /// Reads checked keys; what is missing has its default, and `auto` is nil.
  init(document: JSONObject) {
    adapters = document["adapters"]?.array?.compactMap { $0.address.map { AdapterID($0) } }
    maximumLinksPerAdapter = document["max_links_per_adapter"]?.integer.map { Int($0) }
    connectTimeout = document["connect_timeout"]?.duration ?? connectTimeout
    isSilenceNormal = document["quiet_ok"]?.bool ?? isSilenceNormal
  }

  /// Its keys.
  var document: JSONObject {
    [
      "adapters": adapters.map { .array($0.map { .string($0.address.compact) }) } ?? "auto",
      "max_links_per_adapter": maximumLinksPerAdapter.map { .integer(Int64($0)) } ?? "auto",
      "connect_timeout": .duration(connectTimeout), "quiet_ok": .bool(isSilenceNormal),
    ]
  }
}
