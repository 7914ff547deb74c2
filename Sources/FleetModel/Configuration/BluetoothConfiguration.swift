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
