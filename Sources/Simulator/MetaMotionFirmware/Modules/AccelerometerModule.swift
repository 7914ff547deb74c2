import FleetModel

/// The accelerometer of either chip (protocol reference 7 to 9): samples appear exactly at the configured rate,
/// counted from the moment when both power and sampling are on.
struct AccelerometerModule: FirmwareModule {
  static let id: UInt8 = 0x03

  private enum Register {
    static let power: UInt8 = 0x01
    static let sampling: UInt8 = 0x02
    static let configuration: UInt8 = 0x03
    static let data: UInt8 = 0x04
    /// BMI160 only.
    static let powerState: UInt8 = 0x16
    static let stepCounterReset: UInt8 = 0x1B
    /// BMI270 only.
    static let chipTemperature: UInt8 = 0x0F
  }

  private static let bmi270: UInt8 = 4

  let streams: Set<UInt8>
  private let chip: AccelerometerChip
  private let isBMI270: Bool
  private let zeroOffset: SIMD3<Double>
  private var registers: RegisterBank
  private var blocks: [[UInt8]]
  private var power: UInt8 = 0
  private var stream: VectorStream

  init(_ board: Mainboard) {
    isBMI270 = board.model.implementation(of: Self.id) == Self.bmi270
    chip = isBMI270 ? .bmi270 : .bmi160(revision: board.model.revision(of: Self.id))
    streams = chip.streams.union(chip.packed.map { [$0] } ?? [])
    stream = VectorStream(module: Self.id, data: Register.data, packed: chip.packed)
    registers = RegisterBank(settings: chip.settings, masks: chip.masks)
    blocks = chip.blocks?.defaults ?? []
    var random = SeededGenerator(seed: board.noise.seed)
    zeroOffset = .random(in: -chip.offsets.spread...chip.offsets.spread, using: &random)
  }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    if register == Register.power {
      guard payload.count == 1 else { return }
      power = payload[0]
    } else if register == chip.blocks?.register {
      guard let index = payload.first.map(Int.init), index < blocks.count,
        payload.count == blocks[index].count + 1
      else { return }
      blocks[index] = Array(payload.dropFirst())
    } else if !registers.write(register, payload) {
      return
    }
    if register <= Register.configuration { restartClock(on: &board) }
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    if register == chip.blocks?.register {
      guard payload.count == 1, Int(payload[0]) < blocks.count else { return nil }
      return payload + blocks[Int(payload[0])]
    }
    guard payload.isEmpty else { return nil }
    switch register {
    case Register.power: return [power]
    case Register.data:
      return stream.latest(at: board.now).map { sample(at: $0, on: board) } ?? [0, 0, 0, 0, 0, 0]
    case chip.stepCounter: return [0, 0]
    case Register.powerState where !isBMI270: return [(power & 0x03) << 4]
    case Register.chipTemperature where isBMI270:
      return Int16(clamping: Int((board.climate.die(at: board.now) - 23) * 512)).littleEndianBytes
    default: return registers.read(register)
    }
  }

  func nextEvent(on board: Mainboard) -> Duration? { stream.nextEvent(on: board) }

  mutating func fire(on board: inout Mainboard) { stream.fire(on: &board, sample: sample) }

  private mutating func restartClock(on board: inout Mainboard) {
    let isOn = power != 0 && registers.mask(Register.sampling) & 0x01 != 0
    stream.clock =
      isOn ? SampleClock(code: (configuration.first ?? 0) & 0x0F, startedAt: board.now) : nil
    board.setRunning(Self.id, stream.clock != nil)
  }

  private var configuration: [UInt8] { registers.read(Register.configuration) ?? [] }

  /// Three i16, as the chip measures at `time`.
  private func sample(at time: Duration, on board: Mainboard) -> [UInt8] {
    let truth = board.motion.acceleration(at: time) + zeroOffset
    var noisy = truth
    for axis in 0..<3 {
      noisy[axis] += chip.offsets.noise * board.noise.value(at: time, channel: UInt64(axis))
    }
    return VectorStream.bytes(noisy, scale: chip.scale(rangeByte: configuration.last ?? 0))
  }
}
