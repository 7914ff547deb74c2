import BoardKit

extension SensorRun {
  /// What the board answers about a register while a unit runs as it shall.
  struct ReadBack: Hashable, Sendable {
    var register: Register
    /// Behind the header: the very bytes that were written, or bits that are set.
    var payload: [UInt8]
    var isMask = false

    /// Whether an answer says so.
    func agrees(with reply: [UInt8]) -> Bool {
      guard isMask else { return reply.dropFirst(2).starts(with: payload) }
      return reply.count > 2 && payload.count == 1 && reply[2] & payload[0] == payload[0]
    }
  }

  /// Registers that take bits to set and bits to clear, and read back as one mask (protocol reference, section 7).
  private static let masks: Set<Register> = [
    Accelerometer.sampling, Gyroscope.sampling, Magnetometer.sampling, SensorFusion.outputs,
  ]
  /// Registers that switch power, which cannot be read; that a sensor samples can.
  private static let powers: Set<Register> = [
    Accelerometer.power, Gyroscope.power, Magnetometer.power,
  ]

  /// How it can be seen that the sensor runs just so; nil for what the board cannot tell enough of.
  var readBacks: [ReadBack]? {
    switch unit {
    case .accelerometer, .gyroscope, .magnetometer, .fusion, .barometer: break
    case .ambientLight, .detector, .magneticAlarm, .pin, .processor, .state: return nil
    }
    guard let proof else { return nil }
    let commands =
      configure.compactMap { if case .write(let command) = $0 { command } else { nil } }
      + start.filter { command in Self.masks.contains { command.starts(with: $0.write()) } }
    var readBacks = [ReadBack(register: proof.register, payload: [proof.bits], isMask: true)]
    for command in commands {
      guard command.count > 2, let module = Module(rawValue: command[0]) else { return nil }
      let register = Register(module, command[1])
      if Self.powers.contains(register) { continue }
      let isMask = Self.masks.contains(register)
      let readBack = ReadBack(
        register: register, payload: isMask ? [command[2]] : Array(command.dropFirst(2)), isMask: isMask)
      if !readBacks.contains(readBack) { readBacks.append(readBack) }
    }
    return readBacks
  }

  /// The units whose chips it uses as its own.
  var chips: Set<Unit> {
    let own: [Module: Unit] = [
      .accelerometer: .accelerometer, .gyroscope: .gyroscope, .magnetometer: .magnetometer,
    ]
    return Set(start.compactMap { $0.first.flatMap(Module.init(rawValue:)).flatMap { own[$0] } })
  }
}
