import FleetModel

/// The gyroscope of either chip (protocol reference 22).
struct GyroscopeModule: FirmwareModule {
  static let id: UInt8 = 0x13
  static let name = "gyroscope"

  private enum Register {
    static let power: UInt8 = 0x01
    static let sampling: UInt8 = 0x02
    static let configuration: UInt8 = 0x03
    /// BMI160 only.
    static let wakeUpTrigger: UInt8 = 0x04
    static let powerState: UInt8 = 0x06
    /// BMI270 only, under the same number.
    static let offsets: UInt8 = 0x06
  }

  private static let bmi270: UInt8 = 1
  private static let rates: ClosedRange<UInt8> = 6...13
  /// LSB per degree per second, by range code.
  private static let scales = [16.4, 32.8, 65.6, 131.2, 262.4]
  /// Bit 6 of the fourth offset byte (protocol reference 22).
  private static let compensates: UInt8 = 0x40
  private static let degreesPerOffset = 0.061

  let streams: Set<UInt8>
  private let isBMI270: Bool
  private let bias: SIMD3<Double>
  private let shortOffsetsCompensate: Bool
  private var registers: RegisterBank
  private var offsets: [UInt8] = [0, 0, 0, 0]
  private var power: UInt8 = 0
  private var stream: VectorStream

  init(_ board: Mainboard) {
    isBMI270 = board.model.implementation(of: Self.id) == Self.bmi270
    let isPacked = isBMI270 || board.model.revision(of: Self.id) >= 1
    stream = VectorStream(
      module: Self.id, data: isBMI270 ? 0x04 : 0x05, packed: isPacked ? isBMI270 ? 0x05 : 0x07 : nil)
    streams = Set([stream.data] + (stream.packed.map { [$0] } ?? []))
    registers = RegisterBank(
      settings: [Register.configuration: [0x28, 0x00]].merging(
        isBMI270 ? [:] : [Register.wakeUpTrigger: [0]], uniquingKeysWith: { own, _ in own }),
      masks: [Register.sampling])
    shortOffsetsCompensate = board.assumptions.shortGyroscopeOffsetsCompensate
    var random = SeededGenerator(seed: ~board.surroundings.noise.seed)
    bias = .random(in: -0.5...0.5, using: &random)
  }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    switch (register, payload.count) {
    case (Register.power, 1):
      power = payload[0]
      board.sensors.powerModes[Self.id] = power
    case (Register.offsets, 3...4) where isBMI270:
      // Three bytes leave the fourth alone, or switch the compensation on: no source says which.
      let flags = payload.count == 4 ? payload[3] : shortOffsetsCompensate ? Self.compensates : offsets[3]
      offsets = Array(payload.prefix(3)) + [flags]
    default:
      guard registers.write(register, payload) else { return }
    }
    if register <= Register.configuration { restartClock(on: &board) }
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    guard payload.isEmpty else { return nil }
    switch register {
    case Register.power: return [power]
    case Register.offsets where isBMI270: return offsets
    case Register.powerState where !isBMI270: return [board.inertialPower]
    case stream.data:
      return stream.latest(on: board).map { sample(at: $0, on: board) } ?? [0, 0, 0, 0, 0, 0]
    default: return registers.read(register)
    }
  }

  func nextEvent(on board: Mainboard) -> Duration? { stream.nextEvent(on: board) }

  mutating func fire(on board: inout Mainboard) { stream.fire(on: &board, scale: scale, sample: sample) }

  private mutating func restartClock(on board: inout Mainboard) {
    let isOn = power != 0 && registers.mask(Register.sampling) & 0x01 != 0
    let code = (registers.read(Register.configuration)?.first ?? 0) & 0x0F
    stream.clock =
      isOn ? SampleClock(code: code, of: Self.rates, speed: board.sensors.speed, startedAt: board.now) : nil
    board.setRunning(Self.id, stream.clock != nil)
  }

  private func sample(at time: Duration, on board: Mainboard) -> [UInt8] {
    var rotation = board.surroundings.motion.rotation(at: time) + bias + compensation
    for axis in 0..<3 {
      rotation[axis] += 0.05 * board.surroundings.noise.value(at: time, channel: 8 + UInt64(axis))
    }
    return VectorStream.bytes(rotation, scale: scale)
  }

  private var scale: Double {
    let range = Int((registers.read(Register.configuration)?.last ?? 0) & 0x07)
    return Self.scales[min(range, Self.scales.count - 1)]
  }

  /// Ten bits per axis in two's complement, the upper two of them in the fourth byte.
  private var compensation: SIMD3<Double> {
    guard isBMI270, offsets[3] & Self.compensates != 0 else { return .zero }
    func axis(_ index: Int) -> Double {
      let upper = Int16(offsets[3] >> UInt8(2 * index) & 0x03) << 14
      return Double((upper | Int16(offsets[index]) << 6) >> 6) * Self.degreesPerOffset
    }
    return [axis(0), axis(1), axis(2)]
  }
}
