/// What a stream is wanted for (MQTT contract 7.4, `stream` and `log`).
public enum StreamUse: String, Sendable, CaseIterable {
  /// Its samples come as they are taken.
  case stream
  /// The board keeps them until they are downloaded.
  case log
}

extension StreamDefinition {
  /// All configuration keys for a use. What is logged takes no lanes, and is read by a timer of the board, which knows
  /// no times of day.
  public func parameters(for use: StreamUse) -> [Parameter] {
    guard use == .log else { return parameters }
    let lanes = Set(Self.laneParameters.map(\.name))
    let timer = readTimes(
      .duration(atLeast: Self.leastPollPeriod), "read period: a timer of the board reads it")
    return parameters.filter { !lanes.contains($0.name) }.map { $0.name == timer.name ? timer : $0 }
  }

  /// The same in the configuration file, where a stream says for itself whether the nearest offered value will do.
  package func fileParameters(for use: StreamUse) -> [Parameter] { parameters(for: use) + [Self.nearest] }

  private static let nearest = Parameter(
    "nearest", .boolean, standard: false, "accept the nearest offered value")

  /// Checks a configuration for a use: unknown keys, values off the list and wrong types are `invalid`; defaults are
  /// filled in. Throws also when it cannot be logged.
  public func configure(
    _ configuration: JSONObject, for use: StreamUse, acceptNearest: Bool = false
  ) throws(CommandFailure) -> ValidArguments {
    if use == .log, !isLoggable { throw CommandFailure(.unsupported, "boards cannot log \(name)") }
    return try ArgumentValidation.validate(
      configuration, against: parameters(for: use), of: name, acceptNearest: acceptNearest)
  }

  /// What of a configuration is written to its sensor, whoever takes the samples.
  fileprivate func sensorKeys(of configuration: JSONObject) -> JSONObject {
    let own = Set(ownParameters.map(\.name))
    return JSONObject(configuration.members.filter { own.contains($0.key) })
  }
}

extension StreamRequest {
  /// Why both cannot be had at once: a sensor runs one way, also for its components (MQTT contract 2.2). nil when they
  /// can.
  public func conflict(with logged: StreamRequest) -> CommandFailure? {
    guard let (stream, _) = StreamCatalogue.find(name), let (other, _) = StreamCatalogue.find(logged.name),
      stream.name == other.name
    else { return nil }
    let (ours, theirs) = (
      stream.sensorKeys(of: configuration), stream.sensorKeys(of: logged.configuration)
    )
    guard let key = Set(ours.keys).union(theirs.keys).sorted().first(where: { ours[$0] != theirs[$0] }) else {
      return nil
    }
    return .invalid(
      "\(name) is streamed and \(logged.name) is logged with another \(key); they share a sensor")
  }
}
