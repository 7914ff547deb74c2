/// What a request says of its sender beside itself: one of its MQTT 5 user properties. A name may come more than once.
public struct SenderProperty: Hashable, Sendable, Codable {
  /// As the sender chose it.
  public var name: String
  /// As the sender chose it.
  public var value: String

  /// Takes both parts.
  public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}
