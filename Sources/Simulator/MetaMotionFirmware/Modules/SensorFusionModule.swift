import FleetModel

/// Bosch's sensor fusion (protocol reference 26). The simulation does not fuse: it tells what the fusion would find
/// out, computed from the same motion that the sensors measure, and only while those sensors run.
struct SensorFusionModule: FirmwareModule {
  static let id: UInt8 = 0x19
  static let name = "fusion"

  private enum Register {
    static let enable: UInt8 = 0x01
    static let mode: UInt8 = 0x02
    static let outputs: UInt8 = 0x03
    static let calibrationState: UInt8 = 0x0B
    static let accelerometerCalibration: UInt8 = 0x0C
    static let magnetometerCalibration: UInt8 = 0x0E
    static let resetOrientation: UInt8 = 0x0F
  }

  let streams = Set(FusionOutput.allCases.map(\.register))
  private let revision: UInt8
  private var isEnabled = false
  private var registers = RegisterBank(settings: [Register.mode: [0x00, 0x13]], masks: [Register.outputs])
  private var calibrations: FusionCalibrations
  private var clock: SampleClock?
  /// What is called straight ahead, in radians: north with a magnetometer, else where the board pointed at the start.
  private var forward = 0.0

  init(_ board: Mainboard) {
    revision = board.model.revision(of: Self.id)
    calibrations = FusionCalibrations(seed: board.surroundings.noise.seed)
  }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    switch register {
    case Register.enable:
      guard payload.count == 1, payload[0] <= 1 else { return }
      calibrations.restart(after: runningMode, at: board.now)
      isEnabled = payload[0] == 1
      restart(on: board)
    case Register.mode:
      let (before, running) = (mode, runningMode)
      guard payload.count == 2, FusionMode(rawValue: payload[0]) != nil,
        registers.write(register, payload)
      else { return }
      guard mode != before else { return }
      calibrations.restart(after: running, at: board.now)
      if !calibrations.load(for: mode) { board.request = .crash }
      restart(on: board)
    case Register.accelerometerCalibration...Register.magnetometerCalibration where revision >= 2:
      guard payload.count == FusionCalibrations.length, let sensor = Self.sensor(register) else { return }
      calibrations.write(payload, of: sensor)
    case Register.resetOrientation where revision >= 3:
      guard payload == [1] else { return }
      forward = board.surroundings.motion.attitude(at: board.now).yaw
    default:
      registers.write(register, payload)
    }
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    guard payload.isEmpty else { return nil }
    switch register {
    case Register.enable: return [isEnabled ? 1 : 0]
    case Register.calibrationState where revision >= 1:
      return FusionSensor.allCases.map { accuracy(of: $0, at: board.now) }
    case Register.accelerometerCalibration...Register.magnetometerCalibration where revision >= 2:
      return Self.sensor(register).map { calibrations.block(of: $0, in: runningMode, at: board.now) }
    default: return registers.read(register)
    }
  }

  /// Without its sensors the fusion runs and stays silent.
  func nextEvent(on board: Mainboard) -> Duration? {
    guard let clock, mode.sensors.allSatisfy({ board.sensors.running.contains($0.module) }),
      outputs.contains(where: { board.isWanted(Self.id, $0.register) })
    else { return nil }
    return clock.next(after: board.now, every: 1)
  }

  mutating func fire(on board: inout Mainboard) {
    for output in outputs where board.isWanted(Self.id, output.register) {
      board.fire(Self.id, output.register, value(of: output, on: board))
    }
  }

  private var mode: FusionMode {
    registers.read(Register.mode).flatMap { $0.first }.flatMap(FusionMode.init) ?? .sleep
  }

  /// What was switched on and what the mode can tell.
  private var outputs: [FusionOutput] {
    let mask = registers.mask(Register.outputs)
    return FusionOutput.allCases.filter { mask & $0.bit != 0 && mode.provides($0) }
  }

  /// The mode of a fusion that runs.
  private var runningMode: FusionMode? { clock == nil ? nil : mode }

  /// Whose block stands in a register.
  private static func sensor(_ register: UInt8) -> FusionSensor? {
    FusionSensor(rawValue: Int(register - Register.accelerometerCalibration))
  }

  private mutating func restart(on board: Mainboard) {
    forward = mode.sensors.contains(.magnetometer) ? 0 : board.surroundings.motion.attitude(at: board.now).yaw
    clock = isEnabled ? mode.period.map { SampleClock(period: $0, startedAt: board.now) } : nil
  }

  private func accuracy(of sensor: FusionSensor, at now: Duration) -> UInt8 {
    calibrations.accuracy(of: sensor, in: runningMode, at: now)
  }

  private func value(of output: FusionOutput, on board: Mainboard) -> [UInt8] {
    let motion = board.surroundings.motion
    let now = board.now
    switch output {
    case .acceleration:
      return Self.floats(motion.acceleration(at: now) * 1000) + [accuracy(of: .accelerometer, at: now)]
    case .angularVelocity: return Self.floats(motion.rotation(at: now)) + [accuracy(of: .gyroscope, at: now)]
    case .magneticField:
      return Self.floats(motion.magneticField(at: now)) + [accuracy(of: .magnetometer, at: now)]
    case .quaternion: return Self.floats(attitude(on: board).quaternion)
    case .eulerAngles:
      let euler = attitude(on: board).euler
      return Self.floats([euler.heading, euler.pitch, euler.roll, euler.heading] as SIMD4)
    case .gravity: return Self.floats(motion.gravity(at: now) * FusionOutput.standardGravity)
    case .linearAcceleration:
      let linear = motion.acceleration(at: now) - motion.gravity(at: now)
      return Self.floats(linear * FusionOutput.standardGravity)
    }
  }

  private func attitude(on board: Mainboard) -> Attitude {
    board.surroundings.motion.attitude(at: board.now) + Attitude(yaw: -forward)
  }

  private static func floats(_ vector: some SIMD<Double>) -> [UInt8] {
    vector.indices.flatMap { Float(vector[$0]).bitPattern.littleEndianBytes }
  }
}
