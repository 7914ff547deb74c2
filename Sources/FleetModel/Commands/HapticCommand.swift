/// One run of the motor or the buzzer (MQTT contract 3.2).
public struct HapticCommand: Hashable, Sendable {
  /// What is on the board's pads.
  public enum Drive: Hashable, Sendable {
    /// With 0–100 % of its strength.
    case motor(percent: Double)
    case buzzer
  }

  /// What runs.
  public var drive: Drive
  /// For how long, in milliseconds.
  public var milliseconds: UInt16

  /// Runs `drive`.
  public init(_ drive: Drive, milliseconds: UInt16) {
    (self.drive, self.milliseconds) = (drive, milliseconds)
  }
}
