import FleetModel

/// What the board produces by itself for us: the part of its state that plans compare.
struct BoardSetup: Hashable, Sendable {
  /// How the accelerometer runs.
  struct Acceleration: Hashable, Sendable {
    var configuration: AccelerationConfiguration
    /// Whether samples come out of the packed register.
    var isPacked: Bool
  }

  /// Nil while the accelerometer is off.
  var acceleration: Acceleration?
  /// Registers other than the accelerometer's whose changes are sent.
  var subscriptions: Set<Register> = []
}
