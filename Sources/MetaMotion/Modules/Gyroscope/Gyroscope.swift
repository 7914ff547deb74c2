import BoardKit
import FleetModel

/// The gyroscope of one board (protocol reference, section 22).
struct Gyroscope: Hashable, Sendable {
  /// The chips there are, which are the accelerometer's, too; they differ in where data come out.
  typealias Chip = Accelerometer.Chip

  /// A full scale, by its value in degrees per second; the order is that of the codes.
  enum Range: Int, Hashable, Sendable, CaseIterable {
    case dps2000 = 2000
    case dps1000 = 1000
    case dps500 = 500
    case dps250 = 250
    case dps125 = 125

    var code: UInt8 { UInt8(Self.allCases.firstIndex(of: self) ?? 0) }

    /// The range of a code; nil when there is none.
    init?(code: UInt8) {
      guard Self.allCases.indices.contains(Int(code)) else { return nil }
      self = Self.allCases[Int(code)]
    }
  }

  /// Rate and full scale.
  struct Configuration: Hashable, Sendable {
    /// Position in `rates`.
    let rateIndex: Int
    let range: Range

    /// Output data rates of both chips, in Hz.
    static let rates: [Double] = [25, 50, 100, 200, 400, 800, 1600, 3200]

    /// Takes values of the catalogue; nil when one is not on offer.
    init?(rateHz: Double, rangeDPS: Double) {
      guard let index = Self.rates.firstIndex(of: rateHz), let whole = Int(exactly: rangeDPS),
        let range = Range(rawValue: whole)
      else { return nil }
      rateIndex = index
      self.range = range
    }

    /// Reads what `bytes` were written for; nil when no host writes them.
    init?(_ bytes: [UInt8]) {
      guard bytes.count >= 2, (6...13).contains(bytes[0] & 0x0F), let range = Range(code: bytes[1] & 0x07)
      else { return nil }
      rateIndex = Int(bytes[0] & 0x0F) - 6
      self.range = range
    }

    var hertz: Double { Self.rates[rateIndex] }
    /// Time from one sample to the next.
    var period: Duration { .nanoseconds(Int64((1e9 / hertz).rounded())) }
    /// The two bytes: the bandwidth is always the ordinary one.
    var bytes: [UInt8] { [0x20 | UInt8(rateIndex + 6), range.code] }
  }

  let chip: Chip
  let revision: UInt8

  static let power = Register(.gyroscope, 0x01)
  static let sampling = Register(.gyroscope, 0x02)
  static let settings = Register(.gyroscope, 0x03)
  /// Of the BMI160; the BMI270 has its offsets there.
  static let powerState = Register(.gyroscope, 0x06)

  static let powerOn = power.write(1)
  static let powerOff = power.write(0)
  static let startSampling = sampling.write(set: 1, clear: 0)
  static let stopSampling = sampling.write(set: 0, clear: 1)

  init(chip: Chip, revision: UInt8) {
    self.chip = chip
    self.revision = revision
  }

  /// The chip that the module's implementation number stands for; nil when it is none we know.
  init?(_ info: BoardDescription.Module?) {
    switch info?.implementation {
    case 0: chip = .bmi160
    case 1: chip = .bmi270
    default: return nil
    }
    revision = info?.revision ?? 0
  }

  /// Where samples come one to a packet (trap T22).
  var data: Register { Self.data(on: chip) }

  /// Where three samples come in one packet; nil where the firmware cannot (section 3.4).
  var packedData: Register? {
    chip == .bmi160 && revision < 1 ? nil : Self.packedData(on: chip)
  }

  /// How it can be seen that it has power: two bits that are not zero (section 22). Only the BMI160 tells.
  var powerProof: [SensorRun.ReadBack] {
    guard chip == .bmi160 else { return [] }
    return [SensorRun.ReadBack(register: Self.powerState, payload: [0b0000_1100], match: .anyBit)]
  }

  func configure(_ configuration: Configuration) -> [UInt8] { Self.settings.write(configuration.bytes) }

  static let offsetRegister = Register(.gyroscope, 0x06)

  /// What the BMI270 adds to its samples: the low bytes of three numbers, and a fourth byte with their high bits and
  /// the switch, without which the chip may not use them (trap T62); hosts of the vendor leave it out.
  static func offsets(_ low: [UInt8], switches: UInt8?) -> [UInt8] {
    offsetRegister.write(low.prefix(3) + [switches].compactMap(\.self))
  }
}
