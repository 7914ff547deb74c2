import BoardKit
import FleetModel

/// The accelerometer's registers (protocol reference, sections 7 to 9).
enum AccelerometerMeanings {
  /// The registers of a chip; while it is unknown, those the chips share.
  static func registers(of chip: Accelerometer.Chip?) -> [RegisterMeaning] {
    switch chip {
    case .bmi160: common + BMI160Meanings.registers
    case .bmi270: common + BMI270Meanings.registers
    case nil: common
    }
  }

  private static let common: [RegisterMeaning] = [
    .setting(0x01, "power") { $0.choice("mode", ["suspend", "normal", "low power"]) },
    .mask(0x02, "sampling", ["data"]),
    .setting(0x03, "rate and range", configuration),
  ]

  private static let configuration: RegisterMeaning.Layout = { reader in
    guard reader.rest.count >= 2, let chip = reader.context.chip else {
      if reader.context.chip == nil { reader.note("the codes depend on the chip: say --model r, rl or s") }
      return reader.bytes("codes", 2)
    }
    guard let configuration = Accelerometer(chip: chip, revision: 0).configuration(in: reader.rest) else {
      reader.note("this is no setting that the \(chip.rawValue) is given by hosts")
      return reader.bytes("codes", 2)
    }
    reader.add("rate", .number(configuration.rate.hertz), "Hz")
    reader.add("range", .integer(Int64(configuration.range.rawValue)), "g")
    reader.skip(2)
  }
}
