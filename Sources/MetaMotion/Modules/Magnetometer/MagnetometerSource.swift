import FleetModel

/// The magnetic field as a stream, and the chip's alarms (protocol reference, section 24).
struct MagnetometerSource: StreamSource {
  private typealias Settings = AxisSettings<Magnetometer.Configuration>

  /// Thresholds in steps of 6 µT, and the bits of the alarms that are wanted.
  private struct Alarm: Hashable, Sendable {
    var low: UInt8
    var high: UInt8
    var bits: UInt8
  }

  private let chip: Magnetometer
  private let axes: AxisSensor
  private var shared = SharedSettings<Settings>()
  private var alarm: Alarm?
  private var outputs = StreamOutputs()

  init?(on board: Inventory) {
    guard let chip = Magnetometer(board.modules[.magnetometer]) else { return nil }
    self.chip = chip
    axes = AxisSensor(Magnetometer.field, packed: chip.packedData)
  }

  func offers(for stream: StreamDefinition) -> JSONObject? {
    switch stream.name {
    case "magnetic-field": axes.offers(for: stream)
    case "magnetic-alarm": stream.listedOffers
    default: nil
    }
  }

  mutating func take(_ order: StreamOrder, _ chips: inout ChipUse) throws(CommandFailure) -> StreamTaken {
    if order.definition.outlet == .event { return try takeAlarm(order, &chips) }
    var effective = order.configuration
    let configuration = try Self.configuration(of: order, &effective)
    let settings = Settings(
      configuration: configuration, isPacked: try axes.isPacked(order, hertz: configuration.hertz))
    try chips.claim([.magnetometer], for: order.title, isFusion: false)
    try shared.agree(on: settings, for: order.title, sensor: "magnetic-field", joining: Settings.joining) {
      "\(ParameterType.plain($0.configuration.hertz)) Hz, \($0.configuration.repetitionsXY) and "
        + "\($0.configuration.repetitionsZ) repetitions" + $0.packingWords
    }
    outputs.add(order.key, component: order.component)
    effective["packed"] = settings.packing
    return StreamTaken(effective, period: configuration.period, unit: .magnetometer)
  }

  /// A preset, or its parts; `effective` then says which.
  private static func configuration(
    of order: StreamOrder, _ effective: inout JSONObject
  ) throws(CommandFailure) -> Magnetometer.Configuration {
    let parts = ["rate_hz", "xy_reps", "z_reps"].filter { effective[$0] != nil }
    guard !parts.isEmpty else {
      let name = effective["preset"]?.string ?? "regular"
      guard let preset = Magnetometer.Configuration.presets[name] else {
        throw .invalid("\(order.name) has no preset \(name)")
      }
      effective["preset"] = .string(name)
      return preset
    }
    guard effective["preset"] == nil else {
      throw .invalid("\(order.name) takes a preset or \(parts.joined(separator: ", ")), not both")
    }
    let xy = effective["xy_reps"]?.integer ?? 9
    guard xy % 2 == 1 else { throw .invalid("xy_reps of \(order.name) must be odd, not \(xy)") }
    let configuration = Magnetometer.Configuration(
      hertz: effective["rate_hz"]?.number ?? 10, xy: Int(xy), z: Int(effective["z_reps"]?.integer ?? 15))
    effective["rate_hz"] = .integer(Int64(configuration.hertz))
    effective["xy_reps"] = .integer(xy)
    effective["z_reps"] = .integer(Int64(configuration.repetitionsZ))
    return configuration
  }

  private mutating func takeAlarm(
    _ order: StreamOrder, _ chips: inout ChipUse
  ) throws(CommandFailure) -> StreamTaken {
    var effective = order.configuration
    let axes = Axes(effective["axes"]?.string ?? "xyz").bits
    var wanted = Alarm(low: 0, high: 0, bits: 0)
    for (key, shift) in [("low_ut", 0), ("high_ut", 3)] {
      guard let microtesla = effective[key]?.number else { continue }
      let steps = UInt8((microtesla / Magnetometer.thresholdStep).rounded())
      effective[key] = .integer(Int64(steps) * Int64(Magnetometer.thresholdStep))
      wanted.bits |= axes << shift
      if shift == 0 { wanted.low = steps } else { wanted.high = steps }
    }
    guard wanted.bits != 0 else { throw .invalid("\(order.name) needs low_ut, high_ut or both") }
    alarm = wanted
    chips.needsMagnetometer = true
    return StreamTaken(effective, unit: .magneticAlarm)
  }

  func runs(_ chips: ChipUse) -> [SensorRun] {
    var runs: [SensorRun] = []
    if shared.value != nil || chips.needsMagnetometer && !chips.isFused(.magnetometer) {
      // Alarms alone run it as it runs without being told otherwise.
      let configuration = shared.value?.configuration ?? .init(hertz: 10, xy: 9, z: 15)
      runs.append(
        SensorRun(
          unit: .magnetometer, configure: chip.prepare(configuration),
          registers: axes.registers(isPacked: shared.value?.isPacked),
          start: [Magnetometer.startSampling, Magnetometer.powerOn], stop: Self.stop, proof: Self.proof,
          sample: .init(register: Magnetometer.data, period: configuration.period)))
    }
    if let alarm {
      runs.append(
        SensorRun(
          unit: .magneticAlarm,
          configure: [.write(Magnetometer.thresholds.write(alarm.low, alarm.high))],
          registers: [Magnetometer.alarm],
          start: [Magnetometer.alarms.write(set: alarm.bits, clear: ~alarm.bits & 0x3F)], stop: Self.noAlarms,
          proof: .init(register: Magnetometer.alarms, bits: 0x3F),
          base: chips.isFused(.magnetometer) ? .fusion : .magnetometer))
    }
    return runs
  }

  var leftOver: [SensorRun] {
    [
      SensorRun(unit: .magnetometer, registers: axes.registers, stop: Self.stop),
      SensorRun(unit: .magneticAlarm, registers: [Magnetometer.alarm], stop: Self.noAlarms),
    ]
  }

  func routes(_ chips: ChipUse) -> [PacketRoute] {
    let settings = shared.value
    return axes.routes(
      isPacked: settings?.isPacked, period: settings?.configuration.period ?? .zero, outputs: outputs)
      + [
        PacketRoute(
          Magnetometer.alarm, PacketLayout(.uint8), notice: alarm == nil ? nil : .detectors(.magneticAlarm))
      ]
  }

  private static let stop = [Magnetometer.sleep, Magnetometer.stopSampling]
  private static let noAlarms = [Magnetometer.alarms.write(set: 0, clear: 0x3F)]
  private static let proof = SensorRun.Proof(register: Magnetometer.sampling)
}
