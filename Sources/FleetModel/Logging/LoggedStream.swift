/// A stream as loggers of a board write it down; what is needed to read its entries also when the board has forgotten.
public struct LoggedStream: Hashable, Sendable {
  /// Name of the stream, or the canonical name of a signal that somebody else logs.
  public var name: String
  /// What a sample holds.
  public var fields: [StreamDefinition.Field]
  /// Slots of its loggers, first bytes first.
  public var slots: [Int]
  /// How the entries' bytes become values; opaque to all but the family's decoder. Empty where nobody knows.
  public var layout: [UInt8]
  /// Effective configuration.
  public var configuration: JSONObject
  /// Time between two samples, where it is kept exactly.
  public var period: Duration?
  /// Whether we made its loggers.
  public var isOurs: Bool

  /// Describes a logged stream.
  public init(
    name: String, fields: [StreamDefinition.Field], slots: [Int], layout: [UInt8],
    configuration: JSONObject = [:], period: Duration? = nil, isOurs: Bool = true
  ) {
    (self.name, self.fields, self.slots, self.layout) = (name, fields, slots, layout)
    (self.configuration, self.period, self.isOurs) = (configuration, period, isOurs)
  }
}
