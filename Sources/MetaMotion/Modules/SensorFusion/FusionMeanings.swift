import FleetModel

/// Registers of sensor fusion (protocol reference, section 26).
enum FusionMeanings {
  static let registers: [RegisterMeaning] = [
    .setting(0x01, "fusion") { $0.flag("on") },
    .setting(0x02, "mode and ranges") { reader in
      let settings = SensorFusion.Configuration(payload: reader.rest)
      guard reader.passed(2, if: settings != nil), let settings else { return reader.bytes("codes", 2) }
      reader.add("mode", .string(settings.mode.name))
      reader.add("acceleration", .integer(Int64(settings.acceleration.rawValue)), "g")
      reader.add("rotation", .integer(Int64(settings.rotation.rawValue)), "°/s")
    },
    .mask(0x03, "outputs", SensorFusion.Output.allCases.map(\.name)),
    .value(0x0B, "calibration") { reader in
      for sensor in ["accelerometer", "gyroscope", "magnetometer"] { reader.choice(sensor, accuracies) }
    },
    .setting(0x0C, "calibration data of the accelerometer", block),
    .setting(0x0D, "calibration data of the gyroscope", block),
    .setting(0x0E, "calibration data of the magnetometer", block),
    .action(0x0F, "reset the orientation") { $0.flag("now") },
  ]

  static let accuracies = ["unreliable", "low", "medium", "high"]

  private static let block: RegisterMeaning.Layout = { reader in
    for name in ["x", "y", "z", "radius", "accuracy"] { reader.number(name, Int16.self) }
  }
}
