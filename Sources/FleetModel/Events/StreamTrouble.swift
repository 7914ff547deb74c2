/// What is lastingly wrong with one of a board's streams (MQTT contract 1.3, `troubles`).
public struct StreamTrouble: Hashable, Sendable {
  /// The stream; of what is logged, `log/` and its name.
  public var stream: String
  /// What, and what to do.
  public var reason: StatedReason

  /// States a trouble.
  public init(_ stream: String, _ reason: StatedReason) { (self.stream, self.reason) = (stream, reason) }
}
