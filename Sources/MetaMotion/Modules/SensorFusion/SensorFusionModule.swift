import FleetModel

extension SensorFusion: SensorModule {
  static func signals(on chip: Accelerometer.Chip?) -> [SensorSignal] { signals }

  private static let signals = Output.allCases.map(\.signal)

  static var sources: [any StreamSource.Type] { [FusionSource.self, FusionCalibrationSource.self] }

  static func settings(on board: Inventory) -> SensorSettings? {
    guard board.has(.sensorFusion) else { return nil }
    return SensorSettings([mode]) { payloads in
      guard let settings = Configuration(payload: payloads[0]) else { return [:] }
      return [
        "mode": .string(settings.mode.name), "range_g": .integer(Int64(settings.acceleration.rawValue)),
        "range_dps": .integer(Int64(settings.rotation.rawValue)),
      ]
    }
  }

  static func meanings(_ context: PacketContext) -> [RegisterMeaning] { FusionMeanings.registers }
}

extension SensorFusion.Output {
  /// What comes out. Bosch's library tells corrected acceleration in milli-g and what it derives in m/s²; both leave in
  /// g.
  var signal: SensorSignal {
    SensorSignal(
      name: self == .euler ? "euler-angles" : name, stream: name, title: name, register: register,
      values: values, further: accuracy)
  }

  private static let standardGravity = 9.80665

  private var values: SensorSignal.Values {
    switch self {
    case .correctedAcceleration: .axes(.float32, .fixed(1_000), .g)
    case .correctedAngularVelocity: .axes(.float32, .fixed(1), .dps)
    case .correctedMagneticField: .axes(.float32, .fixed(1), .ut)
    case .quaternion: .init(number: .float32, labels: ["w", "x", "y", "z"])
    case .euler: .init(number: .float32, labels: ["heading", "pitch", "roll", "yaw"], unit: .deg)
    case .gravity, .linearAcceleration: .axes(.float32, .fixed(Self.standardGravity), .g)
    }
  }

  private var accuracy: SensorSignal.Values? {
    switch self {
    case .correctedAcceleration, .correctedAngularVelocity, .correctedMagneticField:
      .init(number: .uint8, labels: ["accuracy"], words: FusionMeanings.accuracies)
    case .quaternion, .euler, .gravity, .linearAcceleration: nil
    }
  }
}
