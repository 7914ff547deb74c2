/// A user property of an MQTT 5 message: what its sender says beside the payload. A name may come more than once.
public struct UserProperty: Hashable, Sendable {
  /// As the sender chose it.
  public var name: String
  /// As the sender chose it.
  public var value: String

  /// Takes both parts.
  public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}
