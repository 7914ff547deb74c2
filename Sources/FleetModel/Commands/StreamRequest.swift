/// A stream that is wanted, with its configuration checked and complete.
public struct StreamRequest: Hashable, Sendable {
  /// Name in the catalogue, or of a chain of the board.
  public var name: String
  /// The keys of the declaration with their values, defaults filled in.
  public var configuration: JSONObject
  /// Who on the board takes its samples, so that none come to the host; nil for those that do.
  public var consumer: BoardConsumer?

  /// Wants `name` as configured, for the host or for somebody on the board.
  public init(name: String, configuration: JSONObject, consumer: BoardConsumer? = nil) {
    self.name = name
    self.configuration = configuration
    self.consumer = consumer
  }

  /// When it is read; nil for what the board tells by itself.
  public var readRule: ScheduleRule? { configuration["every"].flatMap { ScheduleRule(document: $0) } }
}

/// Who on a board takes the samples of a sensor.
public enum BoardConsumer: Hashable, Sendable {
  /// A chain of processors, by name.
  case chain(String)
  /// The loggers of the stream itself.
  case log

  /// The chain, if it is one.
  public var chain: String? { if case .chain(let name) = self { name } else { nil } }
}
