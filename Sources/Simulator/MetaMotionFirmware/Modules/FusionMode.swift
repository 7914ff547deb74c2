import FleetModel

/// What the fusion fuses (protocol reference 26.1 to 26.3).
enum FusionMode: UInt8, Sendable {
  case sleep = 0
  case ndof = 1
  case imuPlus = 2
  case compass = 3
  case m4g = 4

  var sensors: [FusionSensor] {
    switch self {
    case .sleep: []
    case .ndof: [.accelerometer, .gyroscope, .magnetometer]
    case .imuPlus: [.accelerometer, .gyroscope]
    case .compass, .m4g: [.accelerometer, .magnetometer]
    }
  }

  /// The mode alone decides the rate; nil for none.
  var period: Duration? {
    switch self {
    case .sleep: nil
    case .ndof, .imuPlus: .milliseconds(10)
    case .compass: .milliseconds(40)
    case .m4g: .milliseconds(20)
    }
  }

  /// As the tests on hardware found it; the firmware stays silent for the rest.
  func provides(_ output: FusionOutput) -> Bool {
    switch output {
    case .acceleration: sensors.contains(.accelerometer)
    case .angularVelocity: sensors.contains(.gyroscope)
    case .magneticField: sensors.contains(.magnetometer)
    case .quaternion, .eulerAngles: self != .sleep
    case .gravity: self != .sleep && self != .imuPlus
    case .linearAcceleration: self == .ndof || self == .imuPlus
    }
  }
}

/// A sensor that the fusion reads; the raw value is its place in calibration states and blocks.
enum FusionSensor: Int, CaseIterable, Sendable {
  case accelerometer
  case gyroscope
  case magnetometer

  var module: UInt8 {
    switch self {
    case .accelerometer: AccelerometerModule.id
    case .gyroscope: GyroscopeModule.id
    case .magnetometer: MagnetometerModule.id
    }
  }

  /// How long it takes to gain one of the three steps of accuracy.
  var timePerAccuracy: Duration {
    switch self {
    case .accelerometer: .seconds(4)
    case .gyroscope: .seconds(1)
    case .magnetometer: .seconds(6)
    }
  }
}

/// One of the fusion's signals; the raw value is its bit in the output mask.
enum FusionOutput: UInt8, CaseIterable, Sendable {
  case acceleration
  case angularVelocity
  case magneticField
  case quaternion
  case eulerAngles
  case gravity
  case linearAcceleration

  /// Metres per second squared in one g.
  static let standardGravity = 9.80665

  var bit: UInt8 { 1 << rawValue }
  var register: UInt8 { 0x04 + rawValue }
}
