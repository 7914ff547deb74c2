/// What the board knows of itself, of its log and fusion, and of the steps it has counted (MQTT contract 2.2).
enum StateStreams {
  /// A share of a full battery.
  static let charges = 0.0...100
  /// The nRF52 needs 1.7 V, a lithium cell has 4.35 V at most, and USB brings 5.25 V.
  static let voltages = 1_500.0...5_500
  /// Boards count steps in 32 bits (BMI270) or 16 (BMI160).
  static let stepCounts = 0.0...4_294_967_295

  /// The log counts entries and ticks in 32 bits, resets in 3.
  static let logCounts = 0.0...4_294_967_295
  static let resetCounts = 0.0...7

  static let all = [`switch`, battery] + powerStates + [steps, logLength, logTime, fusionCalibration]

  private static let logLength = StreamDefinition(
    name: "log-length", fields: [.init("log_entries", "", .integer, possible: logCounts)], module: "logging",
    isReadable: true, logEntries: nil)

  private static let logTime = StreamDefinition(
    name: "log-time",
    fields: [
      .init("log_tick", "", .integer, possible: logCounts),
      .init("reset_uid", "", .integer, possible: resetCounts),
    ], module: "logging", isReadable: true, logEntries: nil)

  private static let fusionCalibration = StreamDefinition(
    name: "fusion-calibration",
    fields: ["acceleration", "gyroscope", "magnetometer"].map {
      .init("\($0)_accuracy", "", .integer, possible: FusionStreams.accuracies)
    }, module: "sensor-fusion", isReadable: true, logEntries: nil)

  private static let `switch` = StreamDefinition(
    name: "switch", fields: [.init("pressed", "", .flag, possible: 0...1)], module: "switch",
    isNotified: true,
    isReadable: true, logEntries: 1)

  private static let battery = StreamDefinition(
    name: "battery",
    fields: [
      .init("battery_pct", "%", .integer, possible: charges),
      .init("battery_mv", "mV", .integer, possible: voltages),
    ],
    module: "settings", isReadable: true, components: ["pct", "mv"], logEntries: 1)

  private static let powerStates = [("power-status", "power_present"), ("charge-status", "charge_active")].map
  {
    name, field in
    StreamDefinition(
      name: name, fields: [.init(field, "", .flag, possible: 0...1)], module: "settings", isNotified: true,
      isReadable: true, logEntries: 1)
  }

  /// Told by the BMI270, polled on the BMI160.
  private static let steps = StreamDefinition(
    name: "steps", fields: [.init("steps", "", .integer, possible: stepCounts)], module: "accelerometer",
    isNotified: true,
    isReadable: true, logEntries: 1,
    ownParameters: [
      DetectorStreams.sensitivity,
      Parameter(
        "watermark_steps", .integer(20...20_460),
        "steps between two values, a multiple of 20; 20 if left out (BMI270)"),
    ])
}
