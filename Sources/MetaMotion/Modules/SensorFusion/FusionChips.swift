/// The chips of one board as sensor fusion has them run: the firmware neither configures nor starts them itself
/// (protocol reference, sections 26.2 and 26.3).
struct FusionChips: Hashable, Sendable {
  let accelerometer: Accelerometer
  /// Nil where the board has none; modes that need it are not offered then.
  let gyroscope: Gyroscope?
  let magnetometer: Magnetometer?

  init?(_ board: Inventory) {
    guard let accelerometer = board.accelerometer else { return nil }
    self.accelerometer = accelerometer
    gyroscope = Gyroscope(board.modules[.gyroscope])
    magnetometer = Magnetometer(board.modules[.magnetometer])
  }

  /// Whether all chips of a mode are there.
  func can(_ mode: SensorFusion.Mode) -> Bool {
    mode.chips.allSatisfy { chip in
      chip == .accelerometer || chip == .gyroscope && gyroscope != nil
        || chip == .magnetometer && magnetometer != nil
    }
  }

  /// Mode and ranges, then each chip that takes part.
  func configure(_ configuration: SensorFusion.Configuration) -> [BoardStep] {
    var steps = [BoardStep.write(configuration.command)]
    guard configuration.mode != .sleep else { return steps }
    steps.append(.write(accelerometer.configure(configuration.accelerometer)))
    if let gyroscope, let settings = configuration.gyroscope {
      steps.append(.write(gyroscope.configure(settings)))
    }
    if let magnetometer, configuration.mode.chips.contains(.magnetometer) {
      steps += magnetometer.prepare(.fusion)
    }
    return steps
  }

  /// Sampling, power, outputs by their bits, and the algorithm.
  func start(_ mode: SensorFusion.Mode, outputs: UInt8) -> [[UInt8]] {
    mode.chips.compactMap(Self.startSampling) + mode.chips.compactMap(Self.powerOn)
      + [SensorFusion.outputs.write(set: outputs, clear: 0), SensorFusion.run]
  }

  /// How it can be seen that the chips of a mode have power, as far as they tell.
  func powerProofs(_ mode: SensorFusion.Mode) -> [SensorRun.ReadBack] {
    (mode.chips.contains(.accelerometer) ? accelerometer.powerProof : [])
      + (mode.chips.contains(.gyroscope) ? gyroscope?.powerProof ?? [] : [])
  }

  func stop(_ mode: SensorFusion.Mode) -> [[UInt8]] {
    [SensorFusion.halt, SensorFusion.noOutputs] + mode.chips.compactMap(Self.powerOff)
      + mode.chips.compactMap(Self.stopSampling)
  }

  private static func startSampling(_ chip: Module) -> [UInt8]? {
    switch chip {
    case .accelerometer: Accelerometer.startSampling
    case .gyroscope: Gyroscope.startSampling
    case .magnetometer: Magnetometer.startSampling
    default: nil
    }
  }

  private static func stopSampling(_ chip: Module) -> [UInt8]? {
    switch chip {
    case .accelerometer: Accelerometer.stopSampling
    case .gyroscope: Gyroscope.stopSampling
    case .magnetometer: Magnetometer.stopSampling
    default: nil
    }
  }

  private static func powerOn(_ chip: Module) -> [UInt8]? {
    switch chip {
    case .accelerometer: Accelerometer.powerOn
    case .gyroscope: Gyroscope.powerOn
    case .magnetometer: Magnetometer.powerOn
    default: nil
    }
  }

  private static func powerOff(_ chip: Module) -> [UInt8]? {
    switch chip {
    case .accelerometer: Accelerometer.powerOff
    case .gyroscope: Gyroscope.powerOff
    case .magnetometer: Magnetometer.sleep
    default: nil
    }
  }
}
