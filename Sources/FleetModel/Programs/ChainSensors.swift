/// What chains need of their board: sensors that run as the chain is configured (MQTT contract 2.1, 3.8).
extension Chain {
  private static let nearest = Parameter(
    "nearest", .boolean, standard: false, "accept the nearest offered value of keys with a list")

  /// What it computes with: its source, then what its fusers join. Streams, components of some, or other chains.
  public var inputs: [String] {
    [source] + steps.flatMap { $0.parameters["with"]?.array?.compactMap(\.string) ?? [] }
  }

  /// Takes the configuration keys. Each must be one of an input's, or of the lanes; several inputs share those they
  /// have in common. Throws `invalid` and what is wrong.
  mutating func configure(_ given: JSONObject) throws(CommandFailure) {
    let streams = inputs.compactMap { StreamCatalogue.find($0)?.stream }
    let known = Set(streams.flatMap { $0.ownParameters.map(\.name) })
    let sensors = given.picking { known.contains($0) }
    let rest = given.picking { !known.contains($0) }
    let others = StreamDefinition.laneParameters + [Self.nearest]
    if let wrong = rest.keys.first(where: { key in !others.contains { $0.name == key } }) {
      let names = streams.flatMap { $0.ownParameters.map(\.name) } + others.map(\.name)
      throw .invalid(
        "a chain from \(source) has no key \"\(wrong)\"; it takes \(names.joined(separator: ", "))")
    }
    var keys = try ArgumentValidation.validate(rest, against: others, of: "a chain from \(source)").values
    let acceptNearest = keys["nearest"]?.bool ?? false
    keys["nearest"] = nil
    lanes = keys
    configuration = sensors
    for stream in streams {
      let values = try stream.configure(
        sensors.picking(stream.ownKeys.contains), acceptNearest: acceptNearest
      )
      .values
      for key in sensors.keys { configuration[key] = values[key] ?? configuration[key] }
    }
  }

  /// The sensors that must run for it; none for what is read by a timer, nor for other chains of the board.
  func sensors(of name: String, besides chains: Set<String>) -> [StreamRequest] {
    inputs.compactMap { input in
      guard !chains.contains(input), let (stream, _) = StreamCatalogue.find(input), stream.isNotified else {
        return nil
      }
      let keys = configuration.picking(stream.ownKeys.contains)
      // They were checked when the chain was read.
      guard let values = try? stream.configure(keys).values else { return nil }
      return StreamRequest(name: input, configuration: values, consumer: .chain(name))
    }
  }
}

extension BoardProgram {
  /// The sensors that must run for its chains, by chain, and those that must run to be logged.
  public var sensors: [StreamRequest] {
    let names = Set(chains.keys)
    // What is read needs no sensor to run but for some, such as a counter of steps: whoever knows the board decides.
    let logged = logs.values.sorted { $0.name < $1.name }.filter { !names.contains($0.name) }
    return chains.sorted { $0.key < $1.key }.flatMap { $0.value.sensors(of: $0.key, besides: names) }
      + logged.map { StreamRequest(name: $0.name, configuration: $0.configuration, consumer: .log) }
  }

  /// The chains whose samples shall come to the host, and the timers whose ticks shall, as streams.
  public var streams: [String: StreamRequest] {
    let ticks = timers.filter(\.value.isStreamed).keys.map {
      ($0, StreamRequest(name: $0, configuration: ["record": true]))
    }
    return chains.filter { $0.value.outputs.contains(.stream) }.reduce(
      into: Dictionary(uniqueKeysWithValues: ticks)
    ) { streams, chain in
      streams[chain.key] = StreamRequest(name: chain.key, configuration: chain.value.lanes)
    }
  }
}

extension StreamDefinition {
  fileprivate var ownKeys: Set<String> { Set(ownParameters.map(\.name)) }
}

extension JSONObject {
  fileprivate func picking(_ isWanted: (String) -> Bool) -> JSONObject {
    JSONObject(members.filter { isWanted($0.key) }.map { ($0.key, $0.value) })
  }
}
