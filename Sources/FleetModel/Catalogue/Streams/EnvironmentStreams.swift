/// What the air, the light and the board's own warmth are (MQTT contract 2.2).
enum EnvironmentStreams {
  static let all = [pressure, altitude] + temperatures + [humidity, illuminance]

  private static let barometer = [
    Parameter(
      "oversampling", .choice(["ultra-low-power", "low-power", "standard", "high", "ultra-high"]),
      standard: "standard", "how often each value is measured"),
    Parameter("filter", .offered([0, 2, 4, 8, 16]), standard: 0, "coefficient of the IIR filter; 0 = off"),
    Parameter(
      "standby_ms", .offered([0.5, 10, 20, 62.5, 125, 250, 500, 1000, 2000, 4000]), standard: 0.5,
      "rest between two measurements; 2000 and 4000 on the BMP280, 10 and 20 on the BME280"),
  ]

  private static let pressure = StreamDefinition(
    name: "pressure", fields: [.init("pressure_pa", "Pa", decimals: 3)], module: "barometer",
    isNotified: true, isReadable: true, logEntries: 1, ownParameters: barometer)

  private static let altitude = StreamDefinition(
    name: "altitude", fields: [.init("altitude_m", "m", decimals: 3)], module: "barometer", isNotified: true,
    logEntries: 1, ownParameters: barometer)

  private static let temperatures = ["die", "thermistor", "external", "bmp280"].map { source in
    StreamDefinition(
      name: "temperature-\(source)", fields: [.init("temperature_c", "°C", decimals: 3)],
      module: "temperature", isReadable: true, logEntries: 1,
      ownParameters: source == "external" ? externalThermistor : [])
  }

  private static let externalThermistor = [
    Parameter("data_pin", .integer(0...255), required: true, "GPIO pin that reads the thermistor"),
    Parameter("pulldown_pin", .integer(0...255), required: true, "GPIO pin of the pull-down resistor"),
    Parameter("active_high", .boolean, standard: false, "whether the pull-down pin is active high"),
  ]

  private static let humidity = StreamDefinition(
    name: "humidity", fields: [.init("humidity_pct", "%", decimals: 3)], module: "humidity",
    isReadable: true, logEntries: 1,
    ownParameters: [
      Parameter(
        "oversampling_x", .offered([1, 2, 4, 8, 16]), standard: 1, "how often each value is measured")
    ])

  private static let illuminance = StreamDefinition(
    name: "illuminance", fields: [.init("illuminance_lx", "lx", decimals: 3)], module: "ambient-light",
    isNotified: true, logEntries: 1,
    ownParameters: [
      Parameter("gain", .offered([1, 2, 4, 8, 48, 96]), standard: 1, "amplification"),
      Parameter(
        "integration_ms", .offered([50, 100, 150, 200, 250, 300, 350, 400]), standard: 100,
        "how long light is gathered"),
      Parameter(
        "period_ms", .offered([50, 100, 200, 500, 1000, 2000]), standard: 500,
        "time between two values, not shorter than integration_ms"),
    ])
}
