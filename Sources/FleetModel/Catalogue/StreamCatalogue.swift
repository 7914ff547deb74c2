/// Every stream there is. Topics, payload fields, validation, `info.streams` and documentation follow from here
/// (MQTT contract 2.2).
public enum StreamCatalogue {
  /// All streams, in the order people see them.
  public static let all: [StreamDefinition] =
    [acceleration] + temperatures + [`switch`, battery] + powerStates

  /// The stream of that name, or the vector stream a component name such as `acceleration-y` belongs to with the
  /// field's position.
  public static func find(_ name: String) -> (stream: StreamDefinition, component: Int?)? {
    if let stream = byName[name] { return (stream, nil) }
    for stream in all {
      if let index = stream.components.firstIndex(where: { name == "\(stream.name)-\($0)" }) {
        return (stream, index)
      }
    }
    return nil
  }

  private static let byName = Dictionary(
    all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// Output data rates of both chips, in Hz (protocol reference, section 7).
  public static let accelerationRates: [Double] = [
    0.78125, 1.5625, 3.125, 6.25, 12.5, 25, 50, 100, 200, 400, 800, 1600,
  ]

  private static let acceleration = StreamDefinition(
    name: "acceleration",
    fields: ["ax_g", "ay_g", "az_g"].map { .init($0, "g", decimals: 5) },
    module: "accelerometer", outlet: .stream, isNotified: true, isLoggable: true, isReadable: false,
    components: ["x", "y", "z"], logEntries: 2,
    ownParameters: [
      Parameter("rate_hz", .offered(accelerationRates), standard: 50, "sampling rate"),
      Parameter("range_g", .offered([2, 4, 8, 16]), standard: 4, "full scale"),
      Parameter(
        "packed", .choice(["auto", "on", "off"]), standard: "auto", "three samples per notification"),
    ])

  private static let temperatures = ["die", "thermistor", "external", "bmp280"].map { source in
    StreamDefinition(
      name: "temperature-\(source)",
      fields: [.init("temperature_c", "°C", decimals: 3)],
      module: "temperature", outlet: .stream, isNotified: false, isLoggable: true, isReadable: true,
      components: [], logEntries: 1,
      ownParameters: source == "external" ? externalThermistor : [])
  }

  private static let externalThermistor = [
    Parameter("data_pin", .integer(0...255), required: true, "GPIO pin that reads the thermistor"),
    Parameter("pulldown_pin", .integer(0...255), required: true, "GPIO pin of the pull-down resistor"),
    Parameter("active_high", .boolean, standard: false, "whether the pull-down pin is active high"),
  ]

  private static let `switch` = StreamDefinition(
    name: "switch", fields: [.init("pressed", "", .flag)], module: "switch", outlet: .stream,
    isNotified: true, isLoggable: true, isReadable: true, components: [], logEntries: 1, ownParameters: [])

  private static let battery = StreamDefinition(
    name: "battery",
    fields: [.init("battery_pct", "%", .integer), .init("battery_mv", "mV", .integer)],
    module: "settings", outlet: .stream, isNotified: false, isLoggable: true, isReadable: true,
    components: ["pct", "mv"], logEntries: 1, ownParameters: [])

  private static let powerStates = [("power-status", "power_present"), ("charge-status", "charge_active")].map
  {
    name, field in
    StreamDefinition(
      name: name, fields: [.init(field, "", .flag)], module: "settings", outlet: .stream, isNotified: true,
      isLoggable: true, isReadable: true, components: [], logEntries: 1, ownParameters: [])
  }
}
