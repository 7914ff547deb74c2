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

  /// All registers whose changes are sent.
  func registers(on accelerometer: Accelerometer?) -> Set<Register> {
    guard let acceleration, let accelerometer else { return subscriptions }
    return subscriptions.union([acceleration.register(on: accelerometer)])
  }
}

extension BoardSetup.Acceleration {
  /// Where the samples come out.
  func register(on accelerometer: Accelerometer) -> Register {
    guard isPacked, let packed = accelerometer.packedData else { return Accelerometer.data }
    return packed
  }
}
