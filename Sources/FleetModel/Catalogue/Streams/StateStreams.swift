/// What the board knows of itself and of the steps it has counted (MQTT contract 2.2).
enum StateStreams {
  static let all = [`switch`, battery] + powerStates + [steps]

  private static let `switch` = StreamDefinition(
    name: "switch", fields: [.init("pressed", "", .flag)], module: "switch", isNotified: true,
    isReadable: true, logEntries: 1)

  private static let battery = StreamDefinition(
    name: "battery",
    fields: [.init("battery_pct", "%", .integer), .init("battery_mv", "mV", .integer)],
    module: "settings", isReadable: true, components: ["pct", "mv"], logEntries: 1)

  private static let powerStates = [("power-status", "power_present"), ("charge-status", "charge_active")].map
  {
    name, field in
    StreamDefinition(
      name: name, fields: [.init(field, "", .flag)], module: "settings", isNotified: true, isReadable: true,
      logEntries: 1)
  }

  /// Told by the BMI270, polled on the BMI160.
  private static let steps = StreamDefinition(
    name: "steps", fields: [.init("steps", "", .integer)], module: "accelerometer", isNotified: true,
    isReadable: true, logEntries: 1,
    ownParameters: [
      DetectorStreams.sensitivity,
      Parameter(
        "watermark_steps", .integer(20...20_460),
        "steps between two values, a multiple of 20; 20 if left out (BMI270)"),
    ])
}
