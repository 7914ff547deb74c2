import FleetModel

/// The gyroscope's samples as a stream (protocol reference, section 22).
struct GyroscopeSource: StreamSource {
  private typealias Settings = AxisSettings<Gyroscope.Configuration>

  private let chip: Gyroscope
  private let axes: AxisSensor
  /// How many samples of the chip make one that comes.
  private let factor: Int
  private var shared = SharedSettings<Settings>()
  private var outputs = StreamOutputs()

  init?(on board: Inventory) {
    guard let chip = Gyroscope(board.modules[.gyroscope]) else { return nil }
    self.chip = chip
    factor = board.accelerometer?.chip == .bmi270 ? board.downsampling.gyroscopeFactor : 1
    axes = AxisSensor(Gyroscope.rotation(on: chip.chip), packed: chip.packedData)
  }

  func offers(for stream: StreamDefinition) -> JSONObject? {
    stream.name == "angular-velocity" ? axes.offers(for: stream) : nil
  }

  mutating func take(_ order: StreamOrder, _ chips: inout ChipUse) throws(CommandFailure) -> StreamTaken {
    guard let rate = order.configuration["rate_hz"]?.number,
      let range = order.configuration["range_dps"]?.number,
      let configuration = Gyroscope.Configuration(rateHz: rate, rangeDPS: range)
    else { throw .invalid("\(order.name) needs a rate_hz and a range_dps that it offers") }
    let settings = Settings(
      configuration: configuration,
      isPacked: try axes.isPacked(order, hertz: configuration.hertz / Double(factor)))
    try chips.claim([.gyroscope], for: order.title, isFusion: false)
    try shared.agree(on: settings, for: order.title, sensor: "angular-velocity", joining: Settings.joining) {
      "\(ParameterType.plain($0.configuration.hertz)) Hz, \($0.configuration.range.rawValue) °/s"
        + $0.packingWords
    }
    outputs.add(order.key, component: order.component)
    var effective = order.configuration
    effective["packed"] = settings.packing
    return StreamTaken(effective, period: configuration.period * factor, unit: .gyroscope)
  }

  func runs(_ chips: ChipUse) -> [SensorRun] {
    guard let settings = shared.value else { return [] }
    return [
      SensorRun(
        unit: .gyroscope, configure: [.write(chip.configure(settings.configuration))],
        registers: axes.registers(isPacked: settings.isPacked),
        start: [Gyroscope.startSampling, Gyroscope.powerOn], stop: Self.stop, proof: Self.proof,
        power: chip.powerProof,
        sample: chip.powerProof.isEmpty
          ? .init(register: chip.data, period: settings.configuration.period * factor) : nil)
    ]
  }

  var leftOver: [SensorRun] {
    [SensorRun(unit: .gyroscope, registers: axes.registers, stop: Self.stop)]
  }

  func routes(_ chips: ChipUse) -> [PacketRoute] {
    guard let settings = shared.value else { return axes.routes(outputs: outputs) }
    return axes.routes(
      isPacked: settings.isPacked,
      SignalScales().setting(Gyroscope.range, to: Double(settings.configuration.range.rawValue)),
      period: settings.configuration.period * factor, outputs: outputs)
  }

  func onBoard(_ configuration: JSONObject, _ replies: [Register: [UInt8]]) -> JSONObject? {
    guard let reply = replies[Gyroscope.settings],
      let onBoard = Gyroscope.Configuration(Array(reply.dropFirst(2)))
    else { return nil }
    var there = configuration
    (there["rate_hz"], there["range_dps"]) = (.number(onBoard.hertz), .integer(Int64(onBoard.range.rawValue)))
    return there
  }

  private static let stop = [Gyroscope.powerOff, Gyroscope.stopSampling]
  private static let proof = SensorRun.Proof(register: Gyroscope.sampling)
}
