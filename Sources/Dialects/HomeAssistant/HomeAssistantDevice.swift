import FleetModel

/// A board as Home Assistant's MQTT integration discovers it: the device document of MQTT API 7. Pure.
struct HomeAssistantDevice {
  let topics: TopicTree
  /// Of MetaFleet.
  let version: String
  let info: BoardInfo
  /// What streams are wanted of it, with their configuration.
  let streams: [(name: String, configuration: JSONObject)]
  /// Whether firmware can be installed from there.
  var installsFirmware = false

  /// The identifier of a board's device, and the beginning of those of its entities.
  static func identifier(of board: BoardID) -> String { "metafleet_\(board)" }

  /// The whole document.
  var document: JSONObject {
    let identifier = Self.identifier(of: info.board)
    let components = entities.map { ($0.key, JSONValue.object($0.component(of: identifier))) }
    return [
      "device": .object(device(identifier)),
      "origin": [
        "name": "MetaFleet", "sw_version": .string(version),
      ],
      "availability": [
        .object(Self.availability(topics.board(info.board, .availability))),
        .object(Self.availability(topics.gatewayAvailability)),
      ],
      "availability_mode": "all",
      "qos": 1,
      "components": .object(JSONObject(components)),
    ]
  }

  private func device(_ identifier: String) -> JSONObject {
    var device: JSONObject = [
      "identifiers": [.string(identifier)],
      "connections": [["bluetooth", .string(info.board.address.colonSeparated)]],
      "name": .string(info.name),
    ]
    device["suggested_area"] = info.labels["room"].map { .string($0) }
    guard let description = info.description else { return device }
    for (key, text) in [
      ("manufacturer", description.manufacturer), ("model", description.model),
      ("model_id", description.modelNumber), ("serial_number", description.serialNumber),
      ("hw_version", description.hardwareRevision), ("sw_version", description.firmwareRevision),
    ] where !text.isEmpty {
      device[key] = .string(text)
    }
    return device
  }

  /// Whoever is neither `online` nor `offline` cannot be counted on.
  static func availability(_ topic: String) -> JSONObject {
    [
      "topic": .string(topic),
      "value_template": "{{ 'online' if value_json.state == 'online' else 'offline' }}",
      "payload_available": "online", "payload_not_available": "offline",
    ]
  }

  private var entities: [HomeAssistantEntity] {
    let board = info.board
    var entities = HomeAssistantEntity.ofState(topic: topics.board(board, .state))
    for (stream, configuration) in summaries {
      let topic = topics.board(board, .live, stream.name)
      let period = configuration["every"]?.string.flatMap(DurationText.parse)
      entities += stream.fields.map { .ofStream(stream, $0, topic: topic, period: period) }
    }
    if info.description?.modules["switch"]?.isPresent == true {
      entities.append(.button(topic: topics.event(.button, of: .board(board))))
    }
    let commands = CommandTarget.board(board)
    if info.verbs.contains("led") {
      entities.append(
        .light(commands: topics.command(to: commands, "led"), state: topics.board(board, .led)))
    }
    if info.verbs.contains("identify") {
      entities.append(.identify(commands: topics.command(to: commands, "identify")))
    }
    let update =
      installsFirmware && info.verbs.contains("firmware-update")
      ? topics.command(to: commands, "firmware-update") : nil
    entities.append(
      .firmware(
        topic: topics.board(board, .firmware), board: board, commands: update,
        gatewayAvailability: topics.gatewayAvailability))
    return entities
  }

  /// The streams that say one thing, and what chains sum up: nobody wants the waves of a sensor of motion as states.
  /// The battery and the button have entities of their own.
  private var summaries: [(stream: StreamDefinition, configuration: JSONObject)] {
    streams.compactMap { name, configuration in
      guard configuration["live_rate_hz"]?.number != 0 else { return nil }
      if let chain = info.chains.first(where: { $0.name == name }) {
        return (chain.definition, configuration)
      }
      guard let found = StreamCatalogue.find(name), found.component == nil, found.stream.outlet == .stream,
        found.stream.fields.count == 1, name != "switch"
      else { return nil }
      return (found.stream, configuration)
    }
  }

  /// Names of the topics whose values Home Assistant shows.
  var liveTopics: [String] { summaries.map { topics.board(info.board, .live, $0.stream.name) } }
}
