/// What the board computes of all its motion sensors together (MQTT contract 2.2).
enum FusionStreams {
  static let all = [
    StreamDefinition(
      name: "quaternion", fields: ["qw", "qx", "qy", "qz"].map { .init($0, "", decimals: 6) },
      module: module, isNotified: true, components: ["w", "x", "y", "z"], logEntries: 4,
      ownParameters: parameters),
    StreamDefinition(
      name: "euler",
      fields: ["heading_deg", "pitch_deg", "roll_deg", "yaw_deg"].map { .init($0, "°", decimals: 4) },
      module: module, isNotified: true, components: ["heading", "pitch", "roll", "yaw"], logEntries: 4,
      ownParameters: parameters),
    vector("gravity", ["gravx_g", "gravy_g", "gravz_g"]),
    vector("linear-acceleration", ["linx_g", "liny_g", "linz_g"]),
    corrected("corrected-acceleration", ["cax_g", "cay_g", "caz_g"], "g", decimals: 5),
    corrected("corrected-angular-velocity", ["cgx_dps", "cgy_dps", "cgz_dps"], "°/s", decimals: 4),
    corrected("corrected-magnetic-field", ["cmx_ut", "cmy_ut", "cmz_ut"], "µT", decimals: 4),
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

  private static func vector(_ name: String, _ fields: [String]) -> StreamDefinition {
    StreamDefinition(
      name: name, fields: fields.map { .init($0, "g", decimals: 5) }, module: module, isNotified: true,
      components: axes, logEntries: 3, ownParameters: parameters)
  }

  private static func corrected(
    _ name: String, _ fields: [String], _ unit: String, decimals: Int
  ) -> StreamDefinition {
    StreamDefinition(
      name: name,
      fields: fields.map { .init($0, unit, decimals: decimals) } + [.init("accuracy", "", .integer)],
      module: module, isNotified: true, components: axes, logEntries: 4, ownParameters: parameters)
  }
}
