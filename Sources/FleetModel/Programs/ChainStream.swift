/// What a chain of a board yields, as a stream of the board (MQTT contract 1.1, 2.5).
public struct ChainStream: Hashable, Sendable {
  /// Name of the chain.
  public var name: String
  /// What each sample holds, in order.
  public var fields: [StreamDefinition.Field]
  /// Entries in the board's log per sample.
  public var logEntries: Int

  /// Describes what comes out of a chain; without fields where only a board can tell them.
  public init(name: String, fields: [StreamDefinition.Field] = [], logEntries: Int = 1) {
    (self.name, self.fields, self.logEntries) = (name, fields, logEntries)
  }

  /// As the catalogue would declare it.
  public var definition: StreamDefinition {
    StreamDefinition(
      name: name, fields: fields, module: "processor", isNotified: true, logEntries: logEntries)
  }

  /// Whether a chain may have the name.
  public static func isName(_ name: String) -> Bool {
    ParameterType.isName(name, digitsFirst: false, further: "-")
  }
}
