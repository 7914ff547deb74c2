import BoardKit
import FleetModel

/// The accelerometer's registers (protocol reference, sections 7 to 9).
enum AccelerometerMeanings {
  /// The registers of a chip; while it is unknown, those the chips share.
  static func registers(of chip: Accelerometer.Chip?) -> [RegisterMeaning] {
    switch chip {
    case .bmi160: common + bmi160
    case .bmi270: common + bmi270
    case nil: common
    }
  }

  private static let common: [RegisterMeaning] = [
    .setting(0x01, "power") { $0.choice("mode", ["suspend", "normal", "low power"]) },
    .mask(0x02, "sampling", ["data"]),
    .setting(0x03, "rate and range", configuration),
    .signal(0x04, "acceleration") { sample(&$0, "") },
  ]

  private static let bmi160: [RegisterMeaning] = [
    .mask(0x06, "low and high g, switches"),
    .setting(0x07, "low and high g, settings") { $0.bytes("settings", 5) },
    .signal(0x08, "low or high g") { $0.bytes("flags", 1) },
    .mask(0x09, "motion, switches"),
    .setting(0x0A, "motion, settings") { $0.bytes("settings", 4) },
    .signal(0x0B, "motion") { $0.bytes("flags", 1) },
    .mask(0x0C, "tap, switches"),
    .setting(0x0D, "tap, settings") { $0.bytes("settings", 2) },
    .signal(0x0E, "tap") { $0.bytes("flags", 1) },
    .mask(0x0F, "orientation, switches"),
    .setting(0x10, "orientation, settings") { $0.bytes("settings", 2) },
    .signal(0x11, "orientation") { $0.bytes("flags", 1) },
    .mask(0x12, "flat, switches"),
    .setting(0x13, "flat, settings") { $0.bytes("settings", 2) },
    .signal(0x14, "flat") { $0.bytes("flags", 1) },
    .setting(0x15, "offsets") { $0.bytes("offsets", 7) },
    .mask(0x17, "step detector, switches"),
    .setting(0x18, "steps, settings") { $0.bytes("settings", 2) },
    .signal(0x19, "step detector") { $0.flag("step") },
    .value(0x1A, "step counter") { $0.number("steps", UInt16.self) },
    .action(0x1B, "step counter, back to zero"),
    .signal(0x1C, "acceleration, three samples", packed),
  ]

  private static let features = [
    "significant motion", "step counter", "activity", "wrist wake-up", "wrist gesture", "no motion",
    "any motion",
    "step detector",
  ]

  private static let bmi270: [RegisterMeaning] = [
    .signal(0x05, "acceleration, three samples", packed),
    .mask(0x06, "features", features), .mask(0x07, "interrupts of features", features),
    RegisterMeaning(
      number: 0x08, name: "settings of a feature", write: block, question: { $0.number("block", UInt8.self) },
      answer: block),
    .signal(0x09, "motion") { $0.bits("seen", ["significant motion", "no motion", "any motion"]) },
    .signal(0x0A, "wrist") { $0.bytes("flags", 1) },
    RegisterMeaning(
      number: 0x0B, name: "steps", write: RegisterMeaning.subscription, question: RegisterMeaning.nothing,
      answer: { $0.number("steps", UInt16.self) },
      notification: { reader in
        if reader.rest.count == 1 { reader.flag("step") } else { reader.number("steps", UInt16.self) }
      }),
    .signal(0x0C, "activity") { $0.bytes("flags", 1) },
    .setting(0x10, "offsets") { $0.bytes("offsets", 4) },
    .setting(0x11, "downsampling") { $0.bytes("exponents", 1) },
  ]

  private static let block: RegisterMeaning.Layout = { reader in
    reader.number("block", UInt8.self)
    reader.bytes("settings")
  }

  /// The setting whose command these bytes are.
  static func configuration(
    in payload: [UInt8], of chip: Accelerometer.Chip
  ) -> AccelerationConfiguration? {
    let accelerometer = Accelerometer(chip: chip, revision: 0)
    return StreamCatalogue.accelerationRates.indices.lazy.flatMap { rate in
      AccelerationRange.allCases.lazy.map {
        AccelerationConfiguration(rate: AccelerationRate(index: rate), range: $0)
      }
    }.first { accelerometer.configure($0) == Accelerometer.settings.write(payload) }
  }

  private static let configuration: RegisterMeaning.Layout = { reader in
    guard reader.rest.count >= 2, let chip = reader.context.chip else {
      if reader.context.chip == nil { reader.note("the codes depend on the chip: say --model r, rl or s") }
      return reader.bytes("codes", 2)
    }
    guard let configuration = configuration(in: Array(reader.rest.prefix(2)), of: chip) else {
      reader.note("this is no setting that the \(chip.rawValue) is given by hosts")
      return reader.bytes("codes", 2)
    }
    reader.add("rate", .number(configuration.rate.hertz), "Hz")
    reader.add("range", .integer(Int64(configuration.range.rawValue)), "g")
    reader.skip(2)
  }

  private static let packed: RegisterMeaning.Layout = { reader in
    for number in 1...3 { sample(&reader, "\(number) ") }
  }

  private static func sample(_ reader: inout PayloadReader, _ prefix: String) {
    for axis in ["x", "y", "z"] {
      if let range = reader.context.range {
        reader.scaled(prefix + axis, Int16.self, per: range.countsPerG, "g")
      } else {
        reader.number(prefix + axis, Int16.self, "counts")
      }
    }
    if reader.context.range == nil, reader.notes.isEmpty {
      reader.note(
        "no packet before told the range; one g is 16384 counts at 2 g, 8192 at 4 g, 4096 at 8 g, 2048 at 16 g"
      )
    }
  }
}
