import FleetModel

/// Registers of sensor fusion (protocol reference, section 26).
enum FusionMeanings {
  static let registers: [RegisterMeaning] =
    [
      .setting(0x01, "fusion") { $0.flag("on") },
      .setting(0x02, "mode and ranges") { reader in
        let settings = SensorFusion.Configuration(payload: reader.rest)
        guard reader.passed(2, if: settings != nil), let settings else { return reader.bytes("codes", 2) }
        reader.add("mode", .string(settings.mode.name))
        reader.add("acceleration", .integer(Int64(settings.acceleration.rawValue)), "g")
        reader.add("rotation", .integer(Int64(settings.rotation.rawValue)), "°/s")
      },
      .mask(0x03, "outputs", SensorFusion.Output.allCases.map(\.name)),
    ] + SensorFusion.Output.allCases.map(output) + [
      .value(0x0B, "calibration") { reader in
        for sensor in ["accelerometer", "gyroscope", "magnetometer"] { reader.choice(sensor, accuracies) }
      },
      .setting(0x0C, "calibration data of the accelerometer", block),
      .setting(0x0D, "calibration data of the gyroscope", block),
      .setting(0x0E, "calibration data of the magnetometer", block),
      .action(0x0F, "reset the orientation") { $0.flag("now") },
    ]

  private static let accuracies = ["unreliable", "low", "medium", "high"]

  private static func output(_ output: SensorFusion.Output) -> RegisterMeaning {
    .signal(output.register.number, output.name) { reader in
      let names: [String]
      let unit: String
      switch output {
      case .quaternion: (names, unit) = (["w", "x", "y", "z"], "")
      case .euler: (names, unit) = (["heading", "pitch", "roll", "yaw"], "°")
      case .correctedAcceleration, .gravity, .linearAcceleration: (names, unit) = (["x", "y", "z"], "g")
      case .correctedAngularVelocity: (names, unit) = (["x", "y", "z"], "°/s")
      case .correctedMagneticField: (names, unit) = (["x", "y", "z"], "µT")
      }
      for name in names { reader.float(name, per: 1 / output.layout.scale, unit) }
      if output.layout.hasAccuracy { reader.choice("accuracy", accuracies) }
    }
  }

  private static let block: RegisterMeaning.Layout = { reader in
    for name in ["x", "y", "z", "radius", "accuracy"] { reader.number(name, Int16.self) }
  }
}
