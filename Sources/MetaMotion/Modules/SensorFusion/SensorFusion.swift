import BoardKit
import FleetModel

/// Bosch's sensor fusion on the board: its registers, modes and outputs (protocol reference, section 26).
enum SensorFusion: Sendable {
  static let enable = Register(.sensorFusion, 0x01)
  static let mode = Register(.sensorFusion, 0x02)
  static let outputs = Register(.sensorFusion, 0x03)
  static let calibrationState = Register(.sensorFusion, 0x0B)
  static let orientation = Register(.sensorFusion, 0x0F)

  /// Revisions of the module from which it tells its calibration, takes calibration data and forgets the orientation.
  static let firstRevisionWithState: UInt8 = 1
  static let firstRevisionWithData: UInt8 = 2
  static let firstRevisionWithReset: UInt8 = 3

  static let run = enable.write(1)
  static let halt = enable.write(0)
  static let noOutputs = outputs.write(set: 0, clear: 0x7F)
  static let resetOrientation = orientation.write(1)
  /// What the vendor waits for between stopping outputs and starting others.
  static let rest = Duration.milliseconds(500)

  /// Which sensors take part; the raw value is that on the wire.
  enum Mode: UInt8, Hashable, Sendable, CaseIterable {
    case sleep = 0
    case ndof = 1
    case imuPlus = 2
    case compass = 3
    case m4g = 4

    /// The contract's word.
    var name: String {
      switch self {
      case .sleep: "sleep"
      case .ndof: "ndof"
      case .imuPlus: "imuplus"
      case .compass: "compass"
      case .m4g: "m4g"
      }
    }

    /// The mode of that name; nil when there is none.
    init?(named name: String) {
      guard let mode = Self.allCases.first(where: { $0.name == name }) else { return nil }
      self = mode
    }

    /// The chips that take part, in the order in which they are written to.
    var chips: [Module] {
      switch self {
      case .sleep: []
      case .ndof: [.accelerometer, .gyroscope, .magnetometer]
      case .imuPlus: [.accelerometer, .gyroscope]
      case .compass, .m4g: [.accelerometer, .magnetometer]
      }
    }

    /// Rate of the accelerometer, and of what comes out, in Hz.
    var hertz: Double {
      switch self {
      case .sleep, .ndof, .imuPlus: 100
      case .compass: 25
      case .m4g: 50
      }
    }
    /// Time from one sample to the next.
    var period: Duration { .nanoseconds(Int64(1e9 / hertz)) }
  }

  /// What is computed; the raw value is the bit in the mask of outputs, and the register that delivers is 04 + it.
  enum Output: UInt8, Hashable, Sendable, CaseIterable {
    case correctedAcceleration, correctedAngularVelocity, correctedMagneticField, quaternion, euler, gravity
    case linearAcceleration

    var register: Register { Register(.sensorFusion, 0x04 + rawValue) }
    var bit: UInt8 { 1 << rawValue }

    /// The stream's name in the catalogue.
    var name: String {
      switch self {
      case .correctedAcceleration: "corrected-acceleration"
      case .correctedAngularVelocity: "corrected-angular-velocity"
      case .correctedMagneticField: "corrected-magnetic-field"
      case .quaternion: "quaternion"
      case .euler: "euler"
      case .gravity: "gravity"
      case .linearAcceleration: "linear-acceleration"
      }
    }

    /// The chip without which there is nothing to compute.
    var chip: Module? {
      switch self {
      case .correctedAngularVelocity: .gyroscope
      case .correctedMagneticField: .magnetometer
      default: nil
      }
    }

    /// Whether boards have been seen to stay silent about it in a mode (trap T55).
    func mayBeSilent(in mode: Mode) -> Bool {
      switch (self, mode) {
      case (.gravity, .imuPlus), (.linearAcceleration, .compass), (.linearAcceleration, .m4g): true
      default: false
      }
    }
  }

  /// Mode and full scales.
  struct Configuration: Hashable, Sendable {
    var mode: Mode
    var acceleration: AccelerationRange
    /// 125 °/s is no choice here.
    var rotation: Gyroscope.Range

    /// The command; gyroscope codes are one more than the gyroscope's own.
    var command: [UInt8] {
      let range = UInt8(AccelerationRange.allCases.firstIndex(of: acceleration) ?? 0)
      return SensorFusion.mode.write(mode.rawValue, (rotation.code + 1) << 4 | range)
    }

    /// Reads the two bytes that the command carries; nil when they are none we know.
    init?(payload: [UInt8]) {
      guard payload.count >= 2, let mode = Mode(rawValue: payload[0]),
        AccelerationRange.allCases.indices.contains(Int(payload[1] & 0x0F)), payload[1] >> 4 >= 1,
        let rotation = Gyroscope.Range(code: (payload[1] >> 4) - 1)
      else { return nil }
      self.init(
        mode: mode, acceleration: AccelerationRange.allCases[Int(payload[1] & 0x0F)], rotation: rotation)
    }

    init(mode: Mode, acceleration: AccelerationRange, rotation: Gyroscope.Range) {
      self.mode = mode
      self.acceleration = acceleration
      self.rotation = rotation
    }

    /// How the accelerometer runs under it.
    var accelerometer: AccelerationConfiguration {
      let index = StreamCatalogue.accelerationRates.firstIndex(of: mode.hertz) ?? 0
      return AccelerationConfiguration(rate: AccelerationRate(index: index), range: acceleration)
    }

    /// How the gyroscope runs under it; nil when it does not.
    var gyroscope: Gyroscope.Configuration? {
      mode.chips.contains(.gyroscope)
        ? Gyroscope.Configuration(rateHz: 100, rangeDPS: Double(rotation.rawValue)) : nil
    }
  }
}
