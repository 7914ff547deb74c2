import FleetModel

/// The accelerometer of either chip (protocol reference 7 to 9): samples appear exactly at the configured rate,
/// counted from the moment when both power and sampling are on.
struct AccelerometerModule: FirmwareModule {
  static let id: UInt8 = 0x03
  static let name = "accelerometer"

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
    static let downsampling: UInt8 = 0x11
  }

  /// BMI270 only.
  private enum Wrist {
    static let switches: [UInt8] = [0x06, 0x07]
    static let output: UInt8 = 0x0A
    static let wakeUp: UInt8 = 0x08
    static let gesture: UInt8 = 0x10
  }

  private static let bmi270: UInt8 = 4
  private static let stepBlock = 7
  private static let stepReset: UInt8 = 0x04

  let streams: Set<UInt8>
  private let chip: AccelerometerChip
  private let isBMI270: Bool
  private let zeroOffset: SIMD3<Double>
  private var registers: RegisterBank
  private var blocks: [[UInt8]]
  private var engine: FeatureEngine
  /// The engine's own: it works without sampling.
  private var engineClock: SampleClock?
  private var power: UInt8 = 0
  private var stream: VectorStream
  private let revision: UInt8
  /// In g, as the host set it.
  private var compensation = SIMD3<Double>.zero
  private var remap: AxisRemap?

  init(_ board: Mainboard) {
    isBMI270 = board.model.implementation(of: Self.id) == Self.bmi270
    chip = isBMI270 ? .bmi270 : .bmi160(revision: board.model.revision(of: Self.id))
    streams = chip.streams.union(chip.packed.map { [$0] } ?? [])
    stream = VectorStream(module: Self.id, data: Register.data, packed: chip.packed)
    registers = RegisterBank(settings: chip.settings, masks: chip.masks)
    blocks = chip.blocks?.defaults ?? []
    engine = FeatureEngine(chip: chip)
    revision = board.model.revision(of: Self.id)
    var random = SeededGenerator(seed: board.surroundings.noise.seed)
    zeroOffset = .random(in: -chip.offsets.spread...chip.offsets.spread, using: &random)
  }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    if register == Register.power {
      guard payload.count == 1 else { return }
      power = payload[0]
      board.sensors.powerModes[Self.id] = power
    } else if register == Register.stepCounterReset, !isBMI270 {
      guard payload.isEmpty else { return }
      engine.resetSteps()
      return
    } else if register == chip.blocks?.register {
      guard let index = payload.first.map(Int.init), index < blocks.count,
        payload.count == blocks[index].count + 1
      else { return }
      blocks[index] = Array(payload.dropFirst())
      obeyStepReset(inBlock: index)
    } else if !registers.write(register, payload) {
      return
    }
    if isBMI270, register == Register.downsampling { downsample(payload.first ?? 0, on: &board) }
    if register <= Register.configuration { restartClock(on: &board) }
    compensation = chip.compensation(registers)
    remap = isBMI270 ? AxisRemap(blocks[0]) : nil
    if register != Register.sampling { restartEngine(at: board.now) }
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
      return stream.latest(on: board).map { sample(at: $0, on: board) } ?? [0, 0, 0, 0, 0, 0]
    case chip.stepCounter: return engine.steps.littleEndianBytes
    case Register.powerState where !isBMI270: return [board.inertialPower]
    case Register.chipTemperature where isBMI270:
      return Int16(clamping: Int((board.surroundings.climate.die(at: board.now) - 23) * 512))
        .littleEndianBytes
    default: return registers.read(register)
    }
  }

  func nextEvent(on board: Mainboard) -> Duration? {
    let sample = stream.nextEvent(on: board)
    guard let engineClock, engine.isBusy(on: board) else { return sample }
    let next = engineClock.next(after: board.now, every: 1)
    return sample.map { min($0, next) } ?? next
  }

  mutating func fire(on board: inout Mainboard) {
    stream.fire(on: &board, scale: scale, sample: sample)
    guard let engineClock, engineClock.isTick(board.now), engine.isBusy(on: board) else { return }
    engine.feel(measured(at: board.now, on: board), on: &board)
  }

  /// What a wrist does is told at once: how the chip recognises it is nowhere described.
  mutating func notice(_ event: PhysicalEvent, on board: inout Mainboard) {
    guard isBMI270, power != 0 else { return }
    func isOn(_ bit: UInt8) -> Bool { Wrist.switches.allSatisfy { registers.mask($0) & bit != 0 } }
    switch event {
    case .raiseWrist where isOn(Wrist.wakeUp): board.fire(Self.id, Wrist.output, [0x01])
    case .gesture(let code) where isOn(Wrist.gesture):
      board.fire(Self.id, Wrist.output, [0x02 | (code & 0x07) << 2])
    default: break
    }
  }

  /// Either sensor of the chip delivers one of 2ⁿ samples; whether they are filtered makes no difference here.
  private func downsample(_ exponents: UInt8, on board: inout Mainboard) {
    board.sensors.strides[GyroscopeModule.id] = 1 << Int64(exponents & 0x07)
    board.sensors.strides[Self.id] = 1 << Int64(exponents >> 4 & 0x07)
  }

  private mutating func restartClock(on board: inout Mainboard) {
    let isOn = power != 0 && registers.mask(Register.sampling) & 0x01 != 0
    stream.clock =
      isOn
      ? SampleClock(
        code: (configuration.first ?? 0) & 0x0F, speed: board.sensors.speed, startedAt: board.now) : nil
    board.setRunning(Self.id, stream.clock != nil)
  }

  /// Detectors take their settings anew.
  private mutating func restartEngine(at now: Duration) {
    engine.configure(
      ChipState(registers: registers, blocks: blocks, revision: revision, fullScale: 32768 / scale))
    engineClock = power == 0 ? nil : SampleClock(code: (configuration.first ?? 0) & 0x0F, startedAt: now)
  }

  /// A bit beside the watermark sets the count to 0, and does not stay.
  private mutating func obeyStepReset(inBlock index: Int) {
    guard index == Self.stepBlock, blocks[index][3] & Self.stepReset != 0 else { return }
    blocks[index][3] &= ~Self.stepReset
    engine.resetSteps()
  }

  private var scale: Double { chip.scale(rangeByte: configuration.last ?? 0) }

  private var configuration: [UInt8] { registers.read(Register.configuration) ?? [] }

  /// Three i16, as the chip measures at `time`.
  private func sample(at time: Duration, on board: Mainboard) -> [UInt8] {
    VectorStream.bytes(measured(at: time, on: board), scale: scale)
  }

  /// In g: the truth with the part's errors, its compensation and its axes.
  private func measured(at time: Duration, on board: Mainboard) -> SIMD3<Double> {
    var value = board.surroundings.motion.acceleration(at: time) + zeroOffset
    for axis in 0..<3 {
      value[axis] += chip.offsets.noise * board.surroundings.noise.value(at: time, channel: UInt64(axis))
    }
    value += compensation
    return remap?.applied(to: value) ?? value
  }
}
