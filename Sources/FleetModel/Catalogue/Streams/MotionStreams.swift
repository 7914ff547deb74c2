/// What the inertial sensors and the magnetometer measure (MQTT contract 2.2).
enum MotionStreams {
  static let all = [acceleration, angularVelocity, magneticField]

  /// The widest full scales of the BMI160 and BMI270 (data sheets): 16 g and 2000 °/s. Samples are 16-bit numbers in
  /// parts of the full scale, so that a packet cannot carry more.
  static let accelerations = -16.0...16
  static let rotations = -2_000.0...2_000
  /// Sixteenths of a µT in 16 bits, within the BMM150's 2500 µT. Its driver writes -32768 for an overflow, which would
  /// be -2048 µT.
  static let magneticFields = -2_047.9375...2_047.9375

  private static let axes = ["x", "y", "z"]
  private static let packed = Parameter(
    "packed", .choice(["auto", "on", "off"]), standard: "auto", "three samples per notification")

  private static let acceleration = StreamDefinition(
    name: "acceleration",
    fields: ["ax_g", "ay_g", "az_g"].map {
      .init($0, "g", decimals: 5, possible: accelerations, isKeptByPacket: true)
    },
    module: "accelerometer", isNotified: true, components: axes, logEntries: 2,
    ownParameters: [
      Parameter("rate_hz", .offered(StreamCatalogue.accelerationRates), standard: 50, "sampling rate"),
      Parameter("range_g", .offered([2, 4, 8, 16]), standard: 4, "full scale"), packed,
    ])

  private static let angularVelocity = StreamDefinition(
    name: "angular-velocity",
    fields: ["gx_dps", "gy_dps", "gz_dps"].map {
      .init($0, "°/s", decimals: 4, possible: rotations, isKeptByPacket: true)
    },
    module: "gyroscope", isNotified: true, components: axes, logEntries: 2,
    ownParameters: [
      Parameter(
        "rate_hz", .offered([25, 50, 100, 200, 400, 800, 1600, 3200]), standard: 50, "sampling rate"),
      Parameter("range_dps", .offered([125, 250, 500, 1000, 2000]), standard: 2000, "full scale"), packed,
    ])

  /// Without any of its keys, the preset `regular`: rate and repetitions are chosen by a preset or one by one.
  private static let magneticField = StreamDefinition(
    name: "magnetic-field",
    fields: ["mx_ut", "my_ut", "mz_ut"].map {
      .init($0, "µT", decimals: 4, possible: magneticFields)
    },
    module: "magnetometer", isNotified: true, components: axes, logEntries: 2,
    ownParameters: [
      Parameter(
        "preset", .choice(["low-power", "regular", "enhanced-regular", "high-accuracy"]),
        "rate and repetitions at once; regular when nothing is said"),
      Parameter(
        "rate_hz", .offered([2, 6, 8, 10, 15, 20, 25, 30]), "sampling rate instead of a preset, else 10"),
      Parameter(
        "xy_reps", .integer(1...511), "odd number of repetitions on x and y instead of a preset, else 9"),
      Parameter("z_reps", .integer(1...256), "repetitions on z instead of a preset, else 15"), packed,
    ])
}
