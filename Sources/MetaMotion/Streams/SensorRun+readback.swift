import BoardKit

extension SensorRun {
  /// What the board answers about a register while a unit runs as it shall.
  struct ReadBack: Hashable, Sendable {
    var register: Register
    /// Which of several blocks of settings behind one register; empty where there is one.
    var selector: [UInt8] = []
    /// Behind header and selector: the very bytes that were written, or bits.
    var payload: [UInt8]
    var match = Match.bytes

    /// How an answer has to agree.
    enum Match: Hashable, Sendable {
      /// It holds the very bytes.
      case bytes
      /// All bits are set.
      case allBits
      /// One of the bits is set, which one does not matter.
      case anyBit
    }

    /// What is asked; the answer begins with the same bytes.
    var question: [UInt8] { register.read(selector) }

    /// Whether an answer says so.
    func agrees(with reply: [UInt8]) -> Bool {
      let onBoard = reply.dropFirst(2 + selector.count)
      guard match != .bytes else { return onBoard.starts(with: payload) }
      guard let onBoard = onBoard.first, let bits = payload.first else { return false }
      return match == .allBits ? onBoard & bits == bits : onBoard & bits != 0
    }
  }

  /// Modules whose registers of switches take bits to set and bits to clear, and read back as one mask (protocol
  /// reference, section 7).
  private static let maskModules: Set<Module> = [.accelerometer, .gyroscope, .magnetometer, .sensorFusion]
  /// Registers that switch power, which cannot be read themselves.
  private static let powers: Set<Register> = [
    Accelerometer.power, Gyroscope.power, Magnetometer.power,
  ]

  /// How it can be seen that the sensor runs just so; nil for what the board cannot tell enough of.
  var readBacks: [ReadBack]? {
    switch unit {
    case .accelerometer, .gyroscope, .magnetometer, .fusion, .sensor: break
    case .detector, .magneticAlarm, .pin, .processor, .timer, .state: return nil
    }
    guard let proof else { return nil }
    var readBacks = [ReadBack(register: proof.register, payload: [proof.bits], match: .allBits)]
    for case .write(let command) in configure {
      guard command.count > 2, let module = Module(rawValue: command[0]) else { return nil }
      let register = Register(module, command[1])
      guard !Self.powers.contains(register) else { continue }
      readBacks.append(ReadBack(register: register, payload: Array(command.dropFirst(2))))
    }
    let asked = Set(readBacks.map(\.question))
    return readBacks + (switchReadBacks + power).filter { !asked.contains($0.question) }
  }

  /// What was switched on to start the unit, as it must read then: not only the unit itself, but all that it needs. A
  /// write without response may get lost although the link goes on (fault F106). Of power some chips tell (`power`);
  /// that of others is proved by samples alone.
  var switchReadBacks: [ReadBack] {
    var readBacks = proof.map { [ReadBack(register: $0.register, payload: [$0.bits], match: .anyBit)] } ?? []
    for command in start where command.count == 4 && command[2] != 0 {
      guard let module = Module(rawValue: command[0]), Self.maskModules.contains(module) else { continue }
      let readBack = ReadBack(
        register: Register(module, command[1]), payload: [command[2]], match: .allBits)
      // Says no less than the unit's own proof.
      readBacks.removeAll { $0.register == readBack.register }
      readBacks.append(readBack)
    }
    return readBacks
  }

  /// The registers that scale or time what the unit delivers, as they must read once they were written ("every
  /// configuration register reads back as written", protocol reference, section 7). Pins and what only tells changes
  /// have none that can be read.
  var configurationReadBacks: [ReadBack] {
    switch unit {
    case .pin, .processor, .timer, .state: return []
    default: break
    }
    var readBacks: [ReadBack] = []
    for case .write(let command) in configure {
      guard command.count > 2, let module = Module(rawValue: command[0]) else { continue }
      let register = Register(module, command[1])
      guard !Self.powers.contains(register) else { continue }
      // The feature blocks of the BMI270 lie behind one register, each with its number (section 9.4).
      let selector = register == BMI270Features.block ? [command[2]] : []
      let readBack = ReadBack(
        register: register, selector: selector, payload: Array(command.dropFirst(2 + selector.count)))
      // Of two writes to the same place the later one counts.
      readBacks.removeAll { $0.question == readBack.question }
      readBacks.append(readBack)
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

extension SensorRun.Unit {
  /// How the board can be asked whether a sensor runs, whoever started it; nil for what cannot be asked.
  var activity: SensorRun.Proof? {
    switch self {
    case .accelerometer: .init(register: Accelerometer.sampling)
    case .gyroscope: .init(register: Gyroscope.sampling)
    case .magnetometer: .init(register: Magnetometer.sampling)
    case .fusion: .init(register: SensorFusion.enable)
    case .sensor(let module): module.sensor?.activity
    case .detector(let register, _): .init(register: Register(.accelerometer, register), bits: 0xFF)
    case .magneticAlarm: .init(register: Magnetometer.alarms, bits: 0x3F)
    case .processor, .timer, .pin, .state: nil
    }
  }
}
