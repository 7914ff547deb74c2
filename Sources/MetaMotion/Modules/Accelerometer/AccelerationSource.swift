import FleetModel

/// The accelerometer's samples as a stream (protocol reference, section 7).
struct AccelerationSource: StreamSource {
  private typealias Settings = AxisSettings<AccelerationConfiguration>

  private let chip: Accelerometer
  private let axes: AxisSensor
  /// How many samples of the chip make one that comes.
  private let factor: Int
  private var shared = SharedSettings<Settings>()
  private var outputs = StreamOutputs()

  init?(on board: Inventory) {
    guard let chip = board.accelerometer else { return nil }
    self.chip = chip
    factor = chip.chip == .bmi270 ? board.downsampling.accelerationFactor : 1
    axes = AxisSensor(Accelerometer.acceleration(on: chip.chip), packed: chip.packedData)
  }

  func offers(for stream: StreamDefinition) -> JSONObject? {
    stream.name == "acceleration" ? axes.offers(for: stream) : nil
  }

  mutating func take(_ order: StreamOrder, _ chips: inout ChipUse) throws(CommandFailure) -> StreamTaken {
    guard let rate = order.configuration["rate_hz"]?.number,
      let range = order.configuration["range_g"]?.number,
      let configuration = AccelerationConfiguration(rateHz: rate, rangeG: range)
    else { throw .invalid("\(order.name) needs a rate_hz and a range_g that it offers") }
    let settings = Settings(
      configuration: configuration,
      isPacked: try axes.isPacked(order, hertz: configuration.rate.hertz / Double(factor)))
    try chips.claim([.accelerometer], for: order.title, isFusion: false)
    try shared.agree(on: settings, for: order.title, sensor: "acceleration", joining: Settings.joining) {
      "\(ParameterType.plain($0.configuration.rate.hertz)) Hz, \($0.configuration.range.rawValue) g"
        + $0.packingWords
    }
    outputs.add(order.key, component: order.component)
    chips.acceleration = configuration
    var effective = order.configuration
    effective["packed"] = settings.packing
    return StreamTaken(effective, period: configuration.rate.period * factor, unit: .accelerometer)
  }

  func runs(_ chips: ChipUse) -> [SensorRun] {
    if let settings = shared.value {
      var run = run(
        settings.configuration, registers: axes.registers(isPacked: settings.isPacked),
        start: [Accelerometer.startSampling, Accelerometer.powerOn],
        proof: .init(register: Accelerometer.sampling))
      if run.power.isEmpty {
        run.sample = .init(register: Accelerometer.data, period: settings.configuration.rate.period * factor)
      }
      return [run]
    }
    guard chips.needsAccelerometer, !chips.isFused(.accelerometer) else { return [] }
    return [run(chips.motion, registers: [], start: [Accelerometer.powerOn], proof: nil)]
  }

  /// Its answer tells that all of an unknown board's packets have arrived.
  var leftOver: [SensorRun] {
    [SensorRun(unit: .accelerometer, registers: axes.registers, stop: Self.stop, proof: Self.proof)]
  }

  func routes(_ chips: ChipUse) -> [PacketRoute] {
    guard let settings = shared.value else { return axes.routes(outputs: outputs) }
    return axes.routes(
      isPacked: settings.isPacked,
      SignalScales().setting(Accelerometer.range, to: Double(settings.configuration.range.rawValue)),
      period: settings.configuration.rate.period * factor, outputs: outputs)
  }

  func onBoard(_ configuration: JSONObject, _ replies: [Register: [UInt8]]) -> JSONObject? {
    guard let reply = replies[Accelerometer.settings],
      let onBoard = chip.configuration(in: Array(reply.dropFirst(2)))
    else { return nil }
    var there = configuration
    (there["rate_hz"], there["range_g"]) = (
      .number(onBoard.rate.hertz), .integer(Int64(onBoard.range.rawValue))
    )
    return there
  }

  private static let stop = [Accelerometer.powerOff, Accelerometer.stopSampling]
  private static let proof = SensorRun.Proof(register: Accelerometer.sampling)

  private func run(
    _ configuration: AccelerationConfiguration, registers: [Register], start: [[UInt8]],
    proof: SensorRun.Proof?
  ) -> SensorRun {
    SensorRun(
      unit: .accelerometer, configure: [.write(chip.configure(configuration))], registers: registers,
      start: start, stop: Self.stop, proof: proof, power: chip.powerProof)
  }
}
