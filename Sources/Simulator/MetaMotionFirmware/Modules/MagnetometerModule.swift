import FleetModel

/// The BMM150 magnetometer (protocol reference 24).
struct MagnetometerModule: FirmwareModule {
  static let id: UInt8 = 0x15
  static let name = "magnetometer"

  private enum Register {
    static let power: UInt8 = 0x01
    static let sampling: UInt8 = 0x02
    static let rate: UInt8 = 0x03
    static let repetitions: UInt8 = 0x04
    static let data: UInt8 = 0x05
    static let alarmEnable: UInt8 = 0x06
    static let alarmThresholds: UInt8 = 0x07
    static let alarm: UInt8 = 0x08
    static let packed: UInt8 = 0x09
  }

  private enum Power {
    static let sleep: UInt8 = 0
    static let on: UInt8 = 1
    /// Clears the chip's settings; known from revision 2 on.
    static let suspend: UInt8 = 2
  }

  /// Samples per second by code.
  private static let rates: [Int] = [10, 2, 6, 8, 15, 20, 25, 30]
  private static let scale = 16.0
  private static let microteslaPerThreshold = 6.0

  let streams: Set<UInt8>
  private let revision: UInt8
  private var registers = Self.powerOnRegisters
  private var power: UInt8 = 0
  private var stream: VectorStream
  private var lastAlarm: UInt8 = 0
  /// Nothing has woken the chip from the suspend in which it boots.
  private var isCold: Bool

  private static let powerOnRegisters = RegisterBank(
    settings: [Register.rate: [0], Register.repetitions: [0, 0], Register.alarmThresholds: [0, 0]],
    masks: [Register.sampling, Register.alarmEnable])

  init(_ board: Mainboard) {
    revision = board.model.revision(of: Self.id)
    isCold = board.assumptions.magnetometerStartsCold
    stream = VectorStream(
      module: Self.id, data: Register.data, packed: revision >= 1 ? Register.packed : nil)
    streams = Set([Register.data, Register.alarm] + (revision >= 1 ? [Register.packed] : []))
  }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    if register == Register.power {
      guard payload.count == 1, payload[0] <= (revision >= 2 ? Power.suspend : Power.on) else { return }
      power = payload[0]
      if power == Power.suspend { registers = Self.powerOnRegisters }
      if power == Power.sleep { isCold = false }
      board.sensors.powerModes[Self.id] = power
    } else if !registers.write(register, payload) {
      return
    }
    if register <= Register.rate { restartClock(on: &board) }
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    guard payload.isEmpty else { return nil }
    switch register {
    case Register.power: return [power]
    case Register.data:
      return stream.latest(on: board).map { sample(at: $0, on: board) } ?? [0, 0, 0, 0, 0, 0]
    default: return registers.read(register)
    }
  }

  func nextEvent(on board: Mainboard) -> Duration? {
    watchesForAlarm(on: board)
      ? stream.clock?.next(after: board.now, every: 1) : stream.nextEvent(on: board)
  }

  mutating func fire(on board: inout Mainboard) {
    stream.fire(on: &board, scale: Self.scale, sample: sample)
    guard watchesForAlarm(on: board) else { return }
    let alarm = alarm(for: board.surroundings.motion.magneticField(at: board.now))
    if alarm != lastAlarm, alarm != 0 { board.fire(Self.id, Register.alarm, [alarm]) }
    lastAlarm = alarm
  }

  private func watchesForAlarm(on board: Mainboard) -> Bool {
    registers.mask(Register.alarmEnable) != 0 && board.isWanted(Self.id, Register.alarm)
  }

  /// Bits 0 to 2 for axes below the low threshold, 3 to 5 for axes above the high one.
  private func alarm(for field: SIMD3<Double>) -> UInt8 {
    let thresholds = (registers.read(Register.alarmThresholds) ?? []).map {
      Double(Int8(bitPattern: $0)) * Self.microteslaPerThreshold
    }
    var flags: UInt8 = 0
    for axis in 0..<3 {
      if field[axis] < thresholds[0] { flags |= 0x01 << UInt8(axis) }
      if field[axis] > thresholds[1] { flags |= 0x08 << UInt8(axis) }
    }
    return flags & registers.mask(Register.alarmEnable)
  }

  private mutating func restartClock(on board: inout Mainboard) {
    let isOn = power == Power.on && registers.mask(Register.sampling) & 0x01 != 0
    let code = Int(registers.read(Register.rate)?.first ?? 0)
    let period = code < Self.rates.count ? Duration.nanoseconds(1_000_000_000 / Self.rates[code]) : nil
    stream.clock = isOn ? period.map { SampleClock(period: $0, startedAt: board.now) } : nil
    board.setRunning(Self.id, stream.clock != nil)
  }

  /// More repetitions per sample average more noise away.
  private func sample(at time: Duration, on board: Mainboard) -> [UInt8] {
    guard !isCold else { return [0, 0, 0, 0, 0, 0] }
    var field = board.surroundings.motion.magneticField(at: time)
    let repetitions = registers.read(Register.repetitions) ?? [0, 0]
    let noise: SIMD3<Double> = [
      1.4 / Double(2 * Int(repetitions[0]) + 1).squareRoot(),
      1.4 / Double(2 * Int(repetitions[0]) + 1).squareRoot(),
      1.4 / Double(Int(repetitions[1]) + 1).squareRoot(),
    ]
    for axis in 0..<3 {
      field[axis] += noise[axis] * board.surroundings.noise.value(at: time, channel: 16 + UInt64(axis))
    }
    return VectorStream.bytes(field, scale: Self.scale)
  }
}
