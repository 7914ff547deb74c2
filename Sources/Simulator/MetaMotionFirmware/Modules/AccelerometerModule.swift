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
  private var clock: SampleClock?

  init(_ board: Mainboard) {
    isBMI270 = board.model.implementation(of: Self.id) == Self.bmi270
    chip = isBMI270 ? .bmi270 : .bmi160(revision: board.model.revision(of: Self.id))
    streams = chip.streams.union(chip.packed.map { [$0] } ?? [])
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
    if register <= Register.configuration { restartClock(at: board.now) }
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
      let latest = clock.flatMap { $0.index(at: board.now) > 0 ? $0.time(of: $0.index(at: board.now)) : nil }
      return latest.map { sample(at: $0, on: board) } ?? [0, 0, 0, 0, 0, 0]
    case chip.stepCounter: return [0, 0]
    case Register.powerState where !isBMI270: return [(power & 0x03) << 4]
    case Register.chipTemperature where isBMI270:
      return Int16(clamping: Int((board.climate.die(at: board.now) - 23) * 512)).littleEndianBytes
    default: return registers.read(register)
    }
  }

  func nextEvent(on board: Mainboard) -> Duration? {
    guard let clock, board.isConnected else { return nil }
    if board.isSubscribed(Self.id, Register.data) { return clock.next(after: board.now, every: 1) }
    guard let packed = chip.packed, board.isSubscribed(Self.id, packed) else { return nil }
    return clock.next(after: board.now, every: 3)
  }

  mutating func fire(on board: inout Mainboard) {
    guard let clock else { return }
    let index = clock.index(at: board.now)
    board.fire(Self.id, Register.data, sample(at: board.now, on: board))
    // Packed data are for the host alone: no consumer on the board can take them (protocol reference 7).
    if let packed = chip.packed, index % 3 == 0, board.isSubscribed(Self.id, packed) {
      let three = (index - 2...index).flatMap { sample(at: clock.time(of: $0), on: board) }
      board.fire(Self.id, packed, three)
    }
  }

  private mutating func restartClock(at now: Duration) {
    let isOn = power != 0 && registers.mask(Register.sampling) & 0x01 != 0
    clock = isOn ? SampleClock(code: (configuration.first ?? 0) & 0x0F, startedAt: now) : nil
  }

  private var configuration: [UInt8] { registers.read(Register.configuration) ?? [] }

  /// Three i16, as the chip measures at `time`.
  private func sample(at time: Duration, on board: Mainboard) -> [UInt8] {
    let truth = board.motion.acceleration(at: time) + zeroOffset
    var bytes: [UInt8] = []
    for axis in 0..<3 {
      let noise = chip.offsets.noise * board.noise.value(at: time, channel: UInt64(axis))
      let raw = chip.raw(truth[axis] + noise, rangeByte: configuration.last ?? 0)
      bytes.append(UInt8(truncatingIfNeeded: raw))
      bytes.append(UInt8(truncatingIfNeeded: raw >> 8))
    }
    return bytes
  }
}
