import FleetModel

/// Pressure and altitude as streams (protocol reference, section 21).
struct BarometerSource: StreamSource {
  private let barometer: Barometer
  private var shared = SharedSettings<Barometer.Configuration>()
  private var pressure = StreamOutputs()
  private var altitude = StreamOutputs()

  init?(on board: Inventory) {
    guard let barometer = Barometer(board.modules[.barometer]) else { return nil }
    self.barometer = barometer
  }

  func offers(for stream: StreamDefinition) -> JSONObject? {
    guard stream.name == "pressure" || stream.name == "altitude" else { return nil }
    var offers = stream.listedOffers
    offers["standby_ms"] = .array(
      barometer.chip.standbyTimes.sorted().map { Int64(exactly: $0).map { .integer($0) } ?? .number($0) })
    return offers
  }

  mutating func take(_ order: StreamOrder, _ chips: inout ChipUse) throws(CommandFailure) -> StreamTaken {
    if let polled = order.polled { return polled }
    let configuration = try configuration(order.configuration, of: order.name)
    try shared.agree(on: configuration, for: order.title, sensor: "barometer") { [barometer] in
      "oversampling \(Barometer.Configuration.oversamplings[Int($0.oversampling) - 1]), "
        + "filter \(ParameterType.plain(Barometer.Configuration.filters[Int($0.filter)])), "
        + "standby \(ParameterType.plain(barometer.chip.standbyTimes[Int($0.standby)])) ms"
    }
    if order.definition.name == "pressure" {
      pressure.add(order.key, component: order.component)
    } else {
      altitude.add(order.key, component: order.component)
    }
    return StreamTaken(
      order.configuration, period: configuration.period(on: barometer.chip), isRegular: false,
      unit: .barometer)
  }

  private func configuration(
    _ keys: JSONObject, of stream: String
  ) throws(CommandFailure) -> Barometer.Configuration {
    let standby = keys["standby_ms"]?.number ?? 0.5
    guard let code = barometer.chip.standbyTimes.firstIndex(of: standby) else {
      let offered = barometer.chip.standbyTimes.sorted().map(ParameterType.plain).joined(separator: ", ")
      throw .invalid(
        "standby_ms \(ParameterType.plain(standby)) of \(stream) is not offered by this board; offered \(offered)"
      )
    }
    let oversampling = Barometer.Configuration.oversamplings.firstIndex {
      $0 == keys["oversampling"]?.string
    }
    let filter = Barometer.Configuration.filters.firstIndex { $0 == keys["filter"]?.number }
    return Barometer.Configuration(
      oversampling: UInt8((oversampling ?? 2) + 1), filter: UInt8(filter ?? 0), standby: UInt8(code))
  }

  func runs(_ chips: ChipUse) -> [SensorRun] {
    guard let configuration = shared.value else { return [] }
    let registers =
      (pressure.isEmpty ? [] : [Barometer.pressure]) + (altitude.isEmpty ? [] : [Barometer.altitude])
    return [
      SensorRun(
        unit: .barometer, configure: [.write(barometer.configure(configuration))], registers: registers,
        start: [Barometer.start], stop: [Barometer.stop], proof: .init(register: Barometer.sampling))
    ]
  }

  var leftOver: [SensorRun] {
    [
      SensorRun(
        unit: .barometer, registers: [Barometer.pressure, Barometer.altitude], stop: [Barometer.stop])
    ]
  }

  func routes(_ chips: ChipUse) -> [PacketRoute] {
    [
      PacketRoute(Barometer.pressure, Barometer.pressureLayout, outputs: pressure),
      PacketRoute(Barometer.altitude, Barometer.altitudeLayout, outputs: altitude),
    ]
  }

  func question(
    for stream: StreamDefinition, _ configuration: JSONObject
  ) throws(CommandFailure) -> SensorQuestion? {
    guard stream.name == "pressure" else { return nil }
    return SensorQuestion(
      prepare: [], warmUp: Barometer.warmUp, register: Barometer.pressure, layout: Barometer.pressureLayout)
  }
}
