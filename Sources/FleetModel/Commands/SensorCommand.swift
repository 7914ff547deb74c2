/// Something done to a board's sensors that is no stream (MQTT contract 3.9).
public enum SensorCommand: Hashable, Sendable {
  /// The sensors that have a calibration of their own inside sensor fusion.
  public enum Calibrated: String, Hashable, Sendable, CaseIterable {
    case acceleration, gyroscope, magnetometer
  }

  /// The sensors whose samples can be shifted.
  public enum Shifted: String, Hashable, Sendable, CaseIterable {
    case acceleration
    case angularVelocity = "angular-velocity"
  }

  /// Sensor fusion takes where it looks now as straight ahead.
  case resetOrientation
  /// Sensor fusion is given what it learnt before: ten bytes per sensor.
  case calibrate([Calibrated: [UInt8]])
  /// The steps counted so far are forgotten.
  case resetSteps
  /// Samples are shifted by so much in g or degrees per second along each axis, or not any more.
  case shift(Shifted, x: Double, y: Double, z: Double, isOn: Bool)
  /// The axes are taken from others, some turned round: a word such as `yx-z`.
  case axes(String)
  /// Rates are divided by two to the power of these, 0–7.
  case downsample(acceleration: Int, gyroscope: Int)
}
