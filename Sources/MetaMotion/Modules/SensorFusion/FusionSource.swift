import FleetModel

/// What sensor fusion computes, as streams (protocol reference, section 26). It owns the chips it needs.
struct FusionSource: StreamSource {
  private let chips: FusionChips
  private var shared = SharedSettings<SensorFusion.Configuration>()
  private var streams: [SensorFusion.Output: StreamOutputs] = [:]

  init?(on board: Inventory) {
    guard board.has(.sensorFusion), let chips = FusionChips(board),
      SensorFusion.Mode.allCases.contains(where: { $0 != .sleep && chips.can($0) })
    else { return nil }
    self.chips = chips
  }

  private static func output(_ stream: StreamDefinition) -> SensorFusion.Output? {
    SensorFusion.Output.allCases.first { $0.name == stream.name }
  }

  /// The modes in which this board can compute an output.
  private func modes(for output: SensorFusion.Output) -> [SensorFusion.Mode] {
    SensorFusion.Mode.allCases.filter { mode in
      mode != .sleep && chips.can(mode) && output.chip.map(mode.chips.contains) != false
    }
  }

  func offers(for stream: StreamDefinition) -> JSONObject? {
    guard let output = Self.output(stream) else { return nil }
    let modes = modes(for: output)
    guard !modes.isEmpty else { return nil }
    var offers = stream.listedOffers
    offers["mode"] = .array(modes.map { .string($0.name) })
    return offers
  }

  mutating func take(_ order: StreamOrder, _ use: inout ChipUse) throws(CommandFailure) -> StreamTaken {
    let keys = order.configuration
    guard let output = Self.output(order.definition),
      let mode = keys["mode"]?.string.flatMap(SensorFusion.Mode.init(named:)),
      let acceleration = keys["range_g"]?.integer.flatMap({ AccelerationRange(rawValue: Int($0)) }),
      let rotation = keys["range_dps"]?.integer.flatMap({ Gyroscope.Range(rawValue: Int($0)) })
    else { throw .invalid("\(order.name) needs a mode, a range_g and a range_dps that it offers") }
    guard chips.can(mode) else {
      throw CommandFailure(.unsupported, "this board lacks a sensor of mode \(mode.name)")
    }
    if let chip = output.chip, !mode.chips.contains(chip) {
      throw .invalid("\(order.name) needs a mode with the \(chip.name), which \(mode.name) is not")
    }
    let configuration = SensorFusion.Configuration(
      mode: mode, acceleration: acceleration, rotation: rotation)
    try use.claim(mode.chips, for: order.title, isFusion: true)
    try shared.agree(on: configuration, for: order.title, sensor: "sensor-fusion") {
      "mode \($0.mode.name), \($0.acceleration.rawValue) g, \($0.rotation.rawValue) °/s"
    }
    streams[output, default: StreamOutputs()].add(order.key, component: order.component)
    use.acceleration = configuration.accelerometer
    return StreamTaken(
      keys, period: mode.period, mayBeSilent: output.mayBeSilent(in: mode),
      unit: .fusion)
  }

  func runs(_ use: ChipUse) -> [SensorRun] {
    guard let configuration = shared.value else { return [] }
    let outputs = SensorFusion.Output.allCases.filter { streams[$0] != nil }
    let audible = outputs.first { !$0.mayBeSilent(in: configuration.mode) }
    return [
      SensorRun(
        unit: .fusion, configure: chips.configure(configuration), registers: outputs.map(\.register),
        start: chips.start(configuration.mode, outputs: outputs.reduce(0) { $0 | $1.bit }),
        stop: chips.stop(configuration.mode), proof: .init(register: SensorFusion.enable),
        power: chips.powerProofs(configuration.mode),
        sample: audible.map { .init(register: $0.register, period: configuration.mode.period) },
        rest: SensorFusion.rest)
    ]
  }

  /// The chips it may have left running are switched off by those who have their streams.
  var leftOver: [SensorRun] {
    [
      SensorRun(
        unit: .fusion, registers: SensorFusion.Output.allCases.map(\.register),
        stop: [SensorFusion.halt, SensorFusion.noOutputs])
    ]
  }

  func routes(_ use: ChipUse) -> [PacketRoute] {
    SensorFusion.Output.allCases.map {
      PacketRoute($0.signal, outputs: streams[$0] ?? StreamOutputs())
    }
  }
}
