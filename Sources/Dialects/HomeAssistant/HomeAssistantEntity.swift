import FleetModel

/// One entity of a board in Home Assistant: a component of the board's discovery document.
struct HomeAssistantEntity {
  /// Unique among the board's entities.
  let key: String
  /// Which of Home Assistant's integrations shows it: `sensor`, `light` …
  let platform: String
  /// What follows the board's name.
  let name: String
  /// All else that the platform takes.
  var options: JSONObject

  init(_ key: String, _ platform: String, _ name: String, _ options: JSONObject) {
    (self.key, self.platform, self.name, self.options) = (key, platform, name, options)
  }

  /// The component, of the board with that device identifier.
  func component(of device: String) -> JSONObject {
    let common: JSONObject = [
      "platform": .string(platform), "unique_id": .string("\(device)_\(key)"), "name": .string(name),
    ]
    return common.merging(options)
  }
}

extension HomeAssistantEntity {
  /// What every board tells of itself in its retained documents. Those that only help when something is wrong are
  /// diagnostic.
  static func ofState(topic: String) -> [HomeAssistantEntity] {
    func sensor(_ key: String, _ name: String, _ field: String, _ options: JSONObject) -> HomeAssistantEntity
    {
      let common: JSONObject = [
        "state_topic": .string(topic), "value_template": .string(optional(field)),
        "entity_category": "diagnostic",
      ]
      return HomeAssistantEntity(key, "sensor", name, common.merging(options))
    }
    let phases = LinkPhase.allCases.map { JSONValue.string($0.rawValue) }
    return [
      sensor("battery", "Battery", "battery_pct", measured(.init("battery_pct", "%", .integer))),
      sensor(
        "battery_voltage", "Battery voltage", "battery_mv", measured(.init("battery_mv", "mV", .integer))),
      sensor(
        "rssi", "Signal strength", "rssi_dbm",
        [
          "device_class": "signal_strength", "unit_of_measurement": "dBm", "state_class": "measurement",
          "suggested_display_precision": 0,
        ]),
      sensor(
        "clock_error", "Clock error", "clock_err_ms",
        [
          "device_class": "duration", "unit_of_measurement": "ms", "state_class": "measurement",
          "suggested_display_precision": 1,
        ]),
      sensor(
        "log_used", "Log used", "log_used_pct",
        ["unit_of_measurement": "%", "state_class": "measurement", "suggested_display_precision": 1]),
      sensor("link", "Link", "link", ["device_class": "enum", "options": .array(phases)]),
    ]
  }

  /// A value of a stream. Live samples are not retained, so that a value can grow too old: after three times `period`,
  /// where that is known.
  static func ofStream(
    _ stream: StreamDefinition, _ field: StreamDefinition.Field, topic: String, period: Duration?
  ) -> HomeAssistantEntity {
    let isAlone = stream.fields.count == 1
    var options: JSONObject = [
      "state_topic": .string(topic), "value_template": .string(optional(field.name)),
    ]
    if let period {
      options["expire_after"] = .integer(Int64(max(60, (period * 3).inSeconds.rounded(.up))))
    }
    return HomeAssistantEntity(
      isAlone ? stream.name : "\(stream.name)_\(field.name)", "sensor",
      sentence(isAlone ? stream.name : "\(stream.name) \(field.name)"),
      options.merging(measured(field)))
  }

  /// The board's button.
  static func button(topic: String) -> HomeAssistantEntity {
    HomeAssistantEntity(
      "button", "event", "Button",
      ["state_topic": .string(topic), "device_class": "button", "event_types": ["press", "release"]])
  }

  /// The board's LED, commanded in Home Assistant's own form.
  static func light(commands: String, state: String) -> HomeAssistantEntity {
    HomeAssistantEntity(
      "led", "light", "LED",
      [
        "schema": "json", "command_topic": .string(commands), "state_topic": .string(state),
        "brightness": true, "supported_color_modes": ["rgb"], "effect": true,
        "effect_list": .array(LEDPattern.allCases.map { .string($0.rawValue) }),
      ])
  }

  /// Lets the board be found in its room.
  static func identify(commands: String) -> HomeAssistantEntity {
    HomeAssistantEntity(
      "identify", "button", "Identify",
      [
        "command_topic": .string(commands), "payload_press": "PRESS", "device_class": "identify",
        "entity_category": "diagnostic",
      ])
  }

  /// Whether there is newer firmware, and how to install it where `commands` are taken: to the `board`, which is named
  /// as confirmation. Home Assistant refuses a state with keys that it does not know or with a version that is null,
  /// and keeps the value of a key that is missing.
  ///
  /// Its availability is that of the gateway alone: while a board gets firmware it is in its bootloader, and offline.
  static func firmware(
    topic: String, board: BoardID, commands: String?, gatewayAvailability: String
  ) -> HomeAssistantEntity {
    var install = JSONObject()
    install["command_topic"] = commands.map { .string($0) }
    install["payload_install"] = commands.map { _ in .string(#"{"args":{"confirm":"\#(board)"}}"#) }
    return HomeAssistantEntity(
      "firmware", "update", "Firmware",
      install.merging([
        "state_topic": .string(topic),
        "availability": [.object(HomeAssistantDevice.availability(gatewayAvailability))],
        "device_class": "firmware", "entity_category": "diagnostic",
        "value_template": """
        {{ {'installed_version': value_json.installed_version | default(''), \
        'latest_version': value_json.latest_version | default(value_json.installed_version) | default(''), \
        'title': value_json.title, 'in_progress': value_json.in_progress, \
        'update_percentage': value_json.update_percentage | default(none)} | to_json }}
        """,
      ]))
  }

  /// What a field measures, as far as Home Assistant has a class for it. A class goes with the units that Home
  /// Assistant lists for it, and with no other.
  private static func measured(_ field: StreamDefinition.Field) -> JSONObject {
    var options: JSONObject = [:]
    let deviceClass: JSONValue? =
      switch (field.unit, field.name) {
      case ("°C", _): "temperature"
      case ("Pa", _): "atmospheric_pressure"
      case ("%", "humidity_pct"): "humidity"
      case ("%", "battery_pct"): "battery"
      case ("lx", _): "illuminance"
      case ("mV", _): "voltage"
      case ("m", _): "distance"
      default: nil
      }
    options["device_class"] = deviceClass
    options["unit_of_measurement"] = field.unit.isEmpty ? nil : .string(field.unit)
    options["state_class"] = field.name == "steps" ? "total_increasing" : "measurement"
    options["suggested_display_precision"] = .integer(Int64(min(field.decimals, 3)))
    return options
  }

  /// A key that may be missing is unknown then, and no error.
  private static func optional(_ field: String) -> String { "{{ value_json.\(field) | default(none) }}" }

  /// `temperature-bmp280` as people write it.
  private static func sentence(_ name: String) -> String {
    let words = name.replacing("-", with: " ").replacing("_", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
