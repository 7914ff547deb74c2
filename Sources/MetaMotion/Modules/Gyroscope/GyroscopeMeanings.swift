import FleetModel

/// The gyroscope's registers (protocol reference, section 22). Its chip is the accelerometer's, too.
enum GyroscopeMeanings {
  /// The registers of a chip; while it is unknown, those the chips share.
  static func registers(of chip: Accelerometer.Chip?) -> [RegisterMeaning] {
    switch chip {
    case .bmi160:
      common + [
        .setting(0x04, "wake-up trigger") { $0.bytes("codes", 1) },
        .value(0x06, "power state") { $0.bytes("state", 1) },
      ]
    case .bmi270:
      common + [
        .setting(0x06, "offsets") { reader in
          for axis in ["x", "y", "z"] { reader.number("\(axis), low byte", UInt8.self) }
          if !reader.rest.isEmpty {
            reader.parts(
              .init("x, high bits", 2), .init("y, high bits", 2), .init("z, high bits", 2),
              .init("offsets", 1, ["off", "on"]), .init("gain", 1, ["off", "on"]))
          }
        }
      ]
    case nil: common
    }
  }

  private static let common: [RegisterMeaning] = [
    .setting(0x01, "power") { $0.choice("mode", ["suspend", "normal", "low power", "fast start-up"]) },
    .mask(0x02, "sampling", ["data"]),
    .setting(0x03, "rate and range") { reader in
      let settings = Gyroscope.Configuration(reader.rest)
      guard reader.passed(2, if: settings != nil), let settings else { return reader.bytes("codes", 2) }
      reader.add("rate", .number(settings.hertz), "Hz")
      reader.add("range", .integer(Int64(settings.range.rawValue)), "°/s")
    },
  ]
}
