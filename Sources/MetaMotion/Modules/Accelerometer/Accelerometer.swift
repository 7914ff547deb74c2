import BoardKit
import FleetModel

/// The accelerometer of one board: which chip, and what its firmware can (protocol reference, sections 7–9).
struct Accelerometer: Hashable, Sendable {
  /// The chips there are; they differ in their codes and in where packed data come out.
  enum Chip: String, Sendable, CaseIterable { case bmi160, bmi270 }

  let chip: Chip
  let revision: UInt8

  static let power = Register(.accelerometer, 0x01)
  static let sampling = Register(.accelerometer, 0x02)
  static let settings = Register(.accelerometer, 0x03)
  static let data = Register(.accelerometer, 0x04)
  /// Of the BMI160.
  static let powerState = Register(.accelerometer, 0x16)

  init(chip: Chip, revision: UInt8) {
    self.chip = chip
    self.revision = revision
  }

  /// The chip that the module's implementation number stands for; nil when it is none we know.
  init?(_ info: BoardDescription.Module) {
    switch info.implementation {
    case 1: chip = .bmi160
    case 4: chip = .bmi270
    default: return nil
    }
    revision = info.revision ?? 0
  }

  /// Where three samples come in one packet; nil where the firmware cannot (section 3.4).
  var packedData: Register? {
    chip == .bmi160 && revision < 1 ? nil : chip.packedData
  }

  /// How it can be seen that it has power: two bits that are not zero (section 8.1). Only the BMI160 tells.
  var powerProof: [SensorRun.ReadBack] {
    guard chip == .bmi160 else { return [] }
    return [SensorRun.ReadBack(register: Self.powerState, payload: [0b0011_0000], match: .anyBit)]
  }

  /// Sets rate and range.
  func configure(_ configuration: AccelerationConfiguration) -> [UInt8] {
    let code = configuration.rate.code
    // Below 12.5 Hz the BMI160 under-samples (bit 7, no bandwidth) and the BMI270 filters for low power.
    let isSlow = configuration.rate.isBelowFilter
    switch chip {
    case .bmi160:
      let mode: UInt8 = isSlow ? 0x80 : 0x20
      return Self.settings.write(code | mode, chip.ranges[configuration.range] ?? 0x03)
    case .bmi270:
      let mode: UInt8 = isSlow ? 0x20 : 0xA0
      return Self.settings.write(code | mode, chip.ranges[configuration.range] ?? 0)
    }
  }

  /// The setting whose command begins with these bytes; nil when no host writes them.
  func configuration(in payload: [UInt8]) -> AccelerationConfiguration? {
    let command = Self.settings.write(Array(payload.prefix(2)))
    return StreamCatalogue.accelerationRates.indices.lazy.flatMap { rate in
      AccelerationRange.allCases.lazy.map {
        AccelerationConfiguration(rate: AccelerationRate(index: rate), range: $0)
      }
    }.first { configure($0) == command }
  }

  /// Brings the chip to work; 1 serves both chips at every rate (trap T06).
  static let powerOn = power.write(1)
  static let powerOff = power.write(0)
  static let startSampling = sampling.write(set: 1, clear: 0)
  static let stopSampling = sampling.write(set: 0, clear: 1)
}

extension Accelerometer.Chip {
  /// Where firmware that can packs three samples into one packet.
  var packedData: Register { Register(.accelerometer, self == .bmi160 ? 0x1C : 0x05) }

  /// The ranges by their codes.
  var ranges: [AccelerationRange: UInt8] {
    switch self {
    case .bmi160: [.g2: 0x03, .g4: 0x05, .g8: 0x08, .g16: 0x0C]
    case .bmi270: [.g2: 0, .g4: 1, .g8: 2, .g16: 3]
    }
  }
}
