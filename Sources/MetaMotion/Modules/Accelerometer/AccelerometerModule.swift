import BoardKit
import FleetModel

extension Accelerometer: SensorModule {
  /// The full scale: it fills the signed 16 bits.
  static let range = SensorRange(
    settings: settings, key: "range_g", initial: 2, counts: 32_768,
    unknown:
      "no packet before told the range; one g is 16384 counts at 2 g, 8192 at 4 g, 4096 at 8 g, 2048 at 16 g"
  ) { payload, chip in
    guard let chip, payload.count >= 2 else { return nil }
    return chip.ranges.first { $0.value == payload[1] & 0x0F }.map { Double($0.key.rawValue) }
  }

  /// What it measures, and where a chip packs it.
  static func acceleration(on chip: Chip?) -> SensorSignal {
    SensorSignal(
      name: "acceleration", stream: "acceleration", title: "acceleration", register: data,
      packed: chip?.packedData, values: .axes(.int16, .ranged(range), .g))
  }

  static func signals(on chip: Chip?) -> [SensorSignal] {
    switch chip {
    case .bmi160: [acceleration(on: chip)] + BMI160Detectors.signals
    case .bmi270: [acceleration(on: chip)] + BMI270Features.signals
    case nil: [acceleration(on: chip)]
    }
  }

  static var sources: [any StreamSource.Type] {
    [AccelerationSource.self, BMI160Source.self, BMI270Source.self]
  }

  static func settings(on board: Inventory) -> SensorSettings? {
    guard let chip = board.accelerometer else { return nil }
    return SensorSettings([settings]) { payloads in
      guard let settings = chip.configuration(in: payloads[0]) else { return [:] }
      return [
        "rate_hz": .plain(settings.rate.hertz), "range_g": .integer(Int64(settings.range.rawValue)),
      ]
    }
  }

  static func meanings(_ context: PacketContext) -> [RegisterMeaning] {
    AccelerometerMeanings.registers(of: context.chip)
  }

  static func detectors(on chip: Chip?) -> [String: Register] {
    switch chip {
    case .bmi160: BMI160Detectors.registers
    case .bmi270: BMI270Features.registers
    case nil: [:]
    }
  }
}
