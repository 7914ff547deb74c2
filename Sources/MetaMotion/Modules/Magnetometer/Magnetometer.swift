import BoardKit
import FleetModel

/// The magnetometer, a BMM150 (protocol reference, section 24).
struct Magnetometer: Hashable, Sendable {
  /// What can be chosen about the field.
  struct Configuration: Hashable, Sendable {
    /// Position in `rates`, which is the code.
    var rateIndex: Int
    /// Odd, 1–511.
    var repetitionsXY: Int
    /// 1–256.
    var repetitionsZ: Int

    /// Data rates in Hz, by their code.
    static let rates: [Double] = [10, 2, 6, 8, 15, 20, 25, 30]

    /// The vendor's presets by the contract's words.
    static let presets: [String: Configuration] = [
      "low-power": Configuration(hertz: 10, xy: 3, z: 3),
      "regular": Configuration(hertz: 10, xy: 9, z: 15),
      "enhanced-regular": Configuration(hertz: 10, xy: 15, z: 27),
      "high-accuracy": Configuration(hertz: 20, xy: 47, z: 83),
    ]

    /// What fusion runs it with (protocol reference, section 26.2).
    static let fusion = Configuration(hertz: 25, xy: 9, z: 15)

    /// Takes a rate that is on the list, else 10 Hz; repetitions are held in their ranges.
    init(hertz: Double, xy: Int, z: Int) {
      rateIndex = Self.rates.firstIndex(of: hertz) ?? 0
      repetitionsXY = min(max(xy, 1), 511) | 1
      repetitionsZ = min(max(z, 1), 256)
    }

    /// Reads what registers 04 and 03 hold; nil when that is too short or no rate.
    init?(repetitions: [UInt8], rate: [UInt8]) {
      guard repetitions.count >= 2, let code = rate.first, Self.rates.indices.contains(Int(code)) else {
        return nil
      }
      rateIndex = Int(code)
      repetitionsXY = Int(repetitions[0]) * 2 + 1
      repetitionsZ = Int(repetitions[1]) + 1
    }

    var hertz: Double { Self.rates[rateIndex] }
    /// Time from one sample to the next.
    var period: Duration { .nanoseconds(Int64((1e9 / hertz).rounded())) }
  }

  let revision: UInt8

  static let power = Register(.magnetometer, 0x01)
  static let sampling = Register(.magnetometer, 0x02)
  static let rate = Register(.magnetometer, 0x03)
  static let repetitions = Register(.magnetometer, 0x04)
  static let data = Register(.magnetometer, 0x05)
  static let alarms = Register(.magnetometer, 0x06)
  static let thresholds = Register(.magnetometer, 0x07)
  static let alarm = Register(.magnetometer, 0x08)
  /// Of firmware that packs three samples into one packet.
  static let packedData = Register(.magnetometer, 0x09)

  static let powerOn = power.write(1)
  static let sleep = power.write(0)
  static let startSampling = sampling.write(set: 1, clear: 0)
  static let stopSampling = sampling.write(set: 0, clear: 1)
  /// Microtesla per step of the alarms' thresholds.
  static let thresholdStep = 6.0
  /// A chip that was suspended needs it between waking and being configured, or it measures zeros.
  static let warmUp = Duration.milliseconds(200)

  init(revision: UInt8) { self.revision = revision }

  /// Nil where the board has none.
  init?(_ info: BoardDescription.Module?) {
    guard let info, info.isPresent else { return nil }
    revision = info.revision ?? 0
  }

  /// Where three samples come in one packet; nil where the firmware cannot (section 3.4).
  var packedData: Register? { revision >= 1 ? Self.packedData : nil }

  /// Whether the chip may be suspended, and has to be put to sleep before it is configured.
  var mustWake: Bool { revision >= 2 }

  /// Repetitions, then the rate, in two packets (trap T17).
  static func configure(_ configuration: Configuration) -> [[UInt8]] {
    [
      repetitions.write(
        UInt8(truncatingIfNeeded: (configuration.repetitionsXY - 1) / 2),
        UInt8(truncatingIfNeeded: configuration.repetitionsZ - 1)),
      rate.write(UInt8(configuration.rateIndex)),
    ]
  }

  /// All there is to do before it starts.
  func prepare(_ configuration: Configuration) -> [BoardStep] {
    let writes = Self.configure(configuration).map { BoardStep.write($0) }
    return mustWake ? [.write(Self.sleep), .pause(Self.warmUp)] + writes : writes
  }
}
