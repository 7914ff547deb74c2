/// What the air, the light and the board's own warmth are (MQTT contract 2.2).
enum EnvironmentStreams {
  /// The BMP280's and BME280's range, 300 to 1100 hPa (data sheet, table 2).
  static let pressures = 30_000.0...110_000
  /// What the firmware makes of those pressures by the barometric formula: from -699 to 9 165 m.
  static let altitudes = -700.0...9_200
  /// Both Bosch barometers measure from -40 to 85 °C (data sheet, table 1); a hair more is noise at the ends.
  static let barometerTemperatures = -45.0...90
  /// The nRF52's thermometer goes from -40 to 85 °C with an error of 5 °C (product specification, TEMP); 105 °C is what
  /// the chip survives.
  static let dieTemperatures = -45.0...110
  /// NTC thermistors of 10 kΩ are made for -55 to 150 °C.
  static let thermistorTemperatures = -55.0...150
  /// The LTR-329's formula (its application note) with both channels full (65 535), gain 1 and 50 ms:
  /// (1.7743 + 1.1059) · 65 535 / 0.5, rounded up.
  static let illuminances = 0.0...380_000
  /// Relative humidity, by its definition.
  static let humidities = 0.0...100

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
    name: "pressure", fields: [.init("pressure_pa", "Pa", decimals: 3, possible: pressures)],
    module: "barometer",
    isNotified: true, isReadable: true, logEntries: 1, ownParameters: barometer)

  private static let altitude = StreamDefinition(
    name: "altitude", fields: [.init("altitude_m", "m", decimals: 3, possible: altitudes)],
    module: "barometer", isNotified: true, logEntries: 1, ownParameters: barometer)

  private static let temperatures = [
    ("die", dieTemperatures), ("thermistor", thermistorTemperatures), ("external", thermistorTemperatures),
    ("bmp280", barometerTemperatures),
  ].map { source, possible in
    StreamDefinition(
      name: "temperature-\(source)",
      fields: [.init("temperature_c", "°C", decimals: 3, possible: possible)],
      module: "temperature", isReadable: true, logEntries: 1,
      ownParameters: source == "external" ? externalThermistor : [])
  }

  /// Without its pins the channel measures nothing: a board answers garbage then, and no error.
  static let externalThermistor = [
    Parameter("data_pin", .integer(0...255), required: true, "GPIO pin that reads the thermistor"),
    Parameter("pulldown_pin", .integer(0...255), required: true, "GPIO pin of the pull-down resistor"),
    Parameter("active_high", .boolean, standard: false, "whether the pull-down pin is active high"),
  ]

  private static let humidity = StreamDefinition(
    name: "humidity", fields: [.init("humidity_pct", "%", decimals: 3, possible: humidities)],
    module: "humidity",
    isReadable: true, logEntries: 1,
    ownParameters: [
      Parameter(
        "oversampling_x", .offered([1, 2, 4, 8, 16]), standard: 1, "how often each value is measured")
    ])

  private static let illuminance = StreamDefinition(
    name: "illuminance", fields: [.init("illuminance_lx", "lx", decimals: 3, possible: illuminances)],
    module: "ambient-light", isNotified: true, logEntries: 1,
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
