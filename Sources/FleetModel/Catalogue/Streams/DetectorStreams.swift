/// What the accelerometer's and the magnetometer's chips notice by themselves; published as events (MQTT contract 2.4).
///
/// The chips differ in what can be set. A key without a default here has one that depends on the chip, and is refused
/// on a board whose chip does not know it.
enum DetectorStreams {
  static let all =
    anyMotion + [lowG, highG, tap, orientation, flat, step, activity] + wrist + [magneticAlarm]

  /// How readily the BMI160 counts.
  static let sensitivity = Parameter(
    "sensitivity", .choice(["normal", "sensitive", "robust"]),
    "how readily steps count; normal if left out (BMI160)")

  private static let axesType = ParameterType.choice(["x", "y", "z", "xy", "xz", "yz", "xyz"])

  private static func detector(
    _ name: String, _ parameters: [Parameter] = [], module: String = "accelerometer"
  ) -> StreamDefinition {
    StreamDefinition(
      name: name, fields: [], module: module, outlet: .event, isNotified: true, logEntries: 1,
      ownParameters: parameters)
  }

  private static func threshold(_ chips: String) -> Parameter {
    Parameter("threshold_g", .number(0...16), "change that counts as motion; \(chips)")
  }

  private static let axes = Parameter("axes", axesType, "which axes count; all if left out (BMI270)")

  private static let anyMotion = [
    detector(
      "any-motion",
      [
        threshold("0.1 (BMI160), 0.083 (BMI270) if left out"),
        Parameter("count", .integer(1...4), "samples in a row; 1 if left out (BMI160)"),
        Parameter("duration_ms", .number(20...163_820), "how long; 100 if left out (BMI270)"), axes,
      ]),
    detector(
      "slow-motion",
      [
        threshold("0.1 if left out"),
        Parameter("count", .integer(1...64), standard: 5, "samples in a row"),
      ]),
    detector(
      "no-motion",
      [
        threshold("0.1 (BMI160), 0.07 (BMI270) if left out"),
        Parameter(
          "duration_ms", .number(20...430_080),
          "how long; 10240 (BMI160: steps of 1280, 5120, 10240), 100 (BMI270: steps of 20) if left out"),
        axes,
      ]),
    detector(
      "significant-motion",
      [
        threshold("0.1 if left out (BMI160)"),
        Parameter(
          "skip_ms", .offered([1500, 3000, 6000, 12_000]), "time left out first; 3000 if left out (BMI160)"),
        Parameter(
          "proof_ms", .offered([250, 500, 1000, 2000]), "time that must move again; 500 if left out (BMI160)"),
        Parameter("block_ms", .number(20...1_310_700), "how long; 5000 if left out (BMI270)"),
      ]),
  ]

  private static let lowG = detector(
    "low-g",
    [
      Parameter("threshold_g", .number(0.008...2), standard: 0.375, "acceleration below which it falls"),
      Parameter("duration_ms", .number(2.5...640), standard: 20, "how long, in steps of 2.5"),
      Parameter("hysteresis_g", .number(0...0.375), standard: 0.125, "in steps of 0.125"),
      Parameter("mode", .choice(["axis", "sum"]), standard: "axis", "every axis by itself, or their sum"),
    ])

  private static let highG = detector(
    "high-g",
    [
      Parameter("threshold_g", .number(0...16), standard: 1.5, "acceleration that is high"),
      Parameter("duration_ms", .number(2.5...640), standard: 30, "how long, in steps of 2.5"),
      Parameter("hysteresis_g", .number(0...16), standard: 0.25, "in steps of a sixteenth of the full scale"),
      Parameter("axes", axesType, standard: "xyz", "which axes count"),
    ])

  private static let tap = detector(
    "tap",
    [
      Parameter("kinds", .choice(["single", "double", "both"]), standard: "both", "which taps are reported"),
      Parameter("threshold_g", .number(0...16), standard: 1, "how hard"),
      Parameter("shock_ms", .offered([50, 75]), standard: 50, "how long a shock may last"),
      Parameter("quiet_ms", .offered([20, 30]), standard: 30, "quiet time after a shock"),
      Parameter(
        "window_ms", .offered([50, 100, 150, 200, 250, 375, 500, 700]), standard: 250,
        "time in which a second tap must follow"),
    ])

  private static let orientation = detector(
    "orientation",
    [
      Parameter(
        "mode", .choice(["symmetrical", "high-asymmetrical", "low-asymmetrical"]), standard: "symmetrical",
        "how the quadrants are cut"),
      Parameter("hysteresis_g", .number(0...0.9375), standard: 0.0625, "in steps of 0.0625"),
      Parameter("theta", .integer(0...63), standard: 8, "angle at which it is blocked, as the chip counts"),
      Parameter("blocking", .integer(0...3), standard: 2, "when changes are blocked, as the chip counts"),
      Parameter("upside_down", .boolean, standard: true, "whether face up and face down are distinguished"),
    ])

  private static let flat = detector(
    "flat",
    [
      Parameter("theta_deg", .number(0...44.8), standard: 5.7, "tilt that still is flat"),
      Parameter("hold_ms", .offered([0, 640, 1280, 2560]), standard: 640, "how long it must last"),
      Parameter("hysteresis", .integer(0...7), standard: 1, "as the chip counts"),
    ])

  private static let step = detector("step", [sensitivity])
  private static let activity = detector("activity")

  private static let wrist = [
    detector(
      "wrist-gesture",
      [
        Parameter("arm", .choice(["left", "right"]), standard: "left", "which arm wears the board"),
        Parameter("peak", .integer(1...2047), standard: 1774, "least peak of a flick, as the chip counts"),
        Parameter("samples", .integer(0...65_535), standard: 4, "least number of samples of a flick"),
        Parameter("max_samples", .integer(0...65_535), standard: 200, "longest gesture in samples"),
      ]),
    detector(
      "wrist-wakeup",
      [
        Parameter(
          "angles", .list(of: .integer(0...2048), 6...6),
          "focus, non-focus, tilt, landscape, portrait down, portrait up; the chip's own if left out")
      ]),
  ]

  private static let magneticAlarm = detector(
    "magnetic-alarm",
    [
      Parameter("low_ut", .number(0...762), "field below which it is low, in steps of 6"),
      Parameter("high_ut", .number(0...762), "field above which it is high, in steps of 6"),
      Parameter("axes", axesType, standard: "xyz", "which axes count"),
    ], module: "magnetometer")
}
