/// What a chain of a board yields, as a stream of the board (MQTT contract 1.1, 2.5).
public struct ChainStream: Hashable, Sendable {
  /// Name of the chain.
  public var name: String
  /// What each sample holds, in order.
  public var fields: [StreamDefinition.Field]
  /// Entries in the board's log per sample; nil where it cannot be logged.
  public var logEntries: Int?
  /// The module it comes from, by the contract's name.
  public var module: String

  /// Describes what comes out of a chain; without fields where only a board can tell them.
  public init(
    name: String, fields: [StreamDefinition.Field] = [], logEntries: Int? = 1, module: String = "processor"
  ) {
    (self.name, self.fields, self.logEntries, self.module) = (name, fields, logEntries, module)
  }

  /// The ticks of a timer: how many have come since they are listened to.
  public static func ticks(of timer: String) -> ChainStream {
    let key = timer.split(separator: "-").joined(separator: "_")
    return ChainStream(
      name: timer, fields: [.init("\(key)_ticks", "", .integer)], logEntries: nil, module: "timer")
  }

  /// As the catalogue would declare it.
  public var definition: StreamDefinition {
    StreamDefinition(name: name, fields: fields, module: module, isNotified: true, logEntries: logEntries)
  }

  /// Whether a chain may have the name.
  public static func isName(_ name: String) -> Bool {
    ParameterType.isName(name, digitsFirst: false, further: "-")
  }
}
