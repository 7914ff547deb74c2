/// What the board computes of all its motion sensors together (MQTT contract 2.2).
enum FusionStreams {
  /// Components of a unit quaternion, with room for the rounding of 32-bit floats.
  static let components = -1.001...1.001
  /// A rotation is a quaternion of length 1; Bosch's library normalises it well within this. Zero is none.
  static let unitLength = 0.95...1.05
  /// Headings go round once, the other angles half a turn either way (protocol reference, section 26); which of both
  /// a field does depends on the mode, so one range holds all.
  static let angles = -360.0...360
  /// Gravity is a vector of 1 g.
  static let gravities = -1.1...1.1
  /// Full scale of the accelerometer is 16 g, and gravity comes on top.
  static let linearAccelerations = -17.1...17.1
  /// Full scales of 16 g, 2000 °/s and 2500 µT (BMM150, z); what is corrected may pass them by the offset.
  static let correctedAccelerations = -20.0...20
  static let correctedRotations = -2_200.0...2_200
  static let correctedFields = -5_000.0...5_000
  /// Bosch's library counts accuracy from 0 (unreliable) to 3 (high).
  static let accuracies = 0.0...3

  static let all = [
    StreamDefinition(
      name: "quaternion",
      fields: ["qw", "qx", "qy", "qz"].map { .init($0, "", decimals: 6, possible: components) },
      module: module, isNotified: true, components: ["w", "x", "y", "z"], logEntries: 4,
      ownParameters: parameters, possibleLength: unitLength),
    StreamDefinition(
      name: "euler",
      fields: ["heading_deg", "pitch_deg", "roll_deg", "yaw_deg"].map {
        .init($0, "°", decimals: 4, possible: angles)
      },
      module: module, isNotified: true, components: ["heading", "pitch", "roll", "yaw"], logEntries: 4,
      ownParameters: parameters),
    vector("gravity", ["gravx_g", "gravy_g", "gravz_g"], gravities),
    vector("linear-acceleration", ["linx_g", "liny_g", "linz_g"], linearAccelerations),
    corrected(
      "corrected-acceleration", ["cax_g", "cay_g", "caz_g"], "g", decimals: 5, correctedAccelerations),
    corrected(
      "corrected-angular-velocity", ["cgx_dps", "cgy_dps", "cgz_dps"], "°/s", decimals: 4,
      correctedRotations),
    corrected(
      "corrected-magnetic-field", ["cmx_ut", "cmy_ut", "cmz_ut"], "µT", decimals: 4, correctedFields),
  ]

  private static let module = "sensor-fusion"
  private static let axes = ["x", "y", "z"]
  private static let parameters = [
    Parameter(
      "mode", .choice(["ndof", "imuplus", "compass", "m4g"]), standard: "ndof",
      "which sensors take part; the rate follows: 100, 100, 25, 50 Hz"),
    Parameter("range_g", .offered([2, 4, 8, 16]), standard: 16, "full scale of the accelerometer"),
    Parameter("range_dps", .offered([250, 500, 1000, 2000]), standard: 2000, "full scale of the gyroscope"),
  ]

  private static func vector(
    _ name: String, _ fields: [String], _ possible: ClosedRange<Double>
  ) -> StreamDefinition {
    StreamDefinition(
      name: name, fields: fields.map { .init($0, "g", decimals: 5, possible: possible) }, module: module,
      isNotified: true, components: axes, logEntries: 3, ownParameters: parameters)
  }

  private static func corrected(
    _ name: String, _ fields: [String], _ unit: String, decimals: Int, _ possible: ClosedRange<Double>
  ) -> StreamDefinition {
    StreamDefinition(
      name: name,
      fields: fields.map { .init($0, unit, decimals: decimals, possible: possible) } + [
        .init("accuracy", "", .integer, possible: accuracies)
      ],
      module: module, isNotified: true, components: axes, logEntries: 4, ownParameters: parameters)
  }
}
