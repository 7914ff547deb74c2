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
      barometer.chip.standbyTimes.sorted().map { .plain($0) })
    return offers
  }

  mutating func take(_ order: StreamOrder, _ chips: inout ChipUse) throws(CommandFailure) -> StreamTaken {
    if let polled = order.polled { return polled }
    let configuration = try Barometer.Configuration(
      order.configuration, of: order.name, on: barometer.chip)
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
      unit: .sensor(.barometer))
  }

  func runs(_ chips: ChipUse) -> [SensorRun] {
    guard let configuration = shared.value else { return [] }
    let registers =
      (pressure.isEmpty ? [] : [Barometer.pressure.register])
      + (altitude.isEmpty ? [] : [Barometer.altitude.register])
    return [
      SensorRun(
        unit: .sensor(.barometer), configure: [.write(barometer.configure(configuration))],
        registers: registers,
        start: [Barometer.start], stop: [Barometer.stop], proof: .init(register: Barometer.sampling))
    ]
  }

  var leftOver: [SensorRun] {
    [
      SensorRun(
        unit: .sensor(.barometer), registers: [Barometer.pressure.register, Barometer.altitude.register],
        stop: [Barometer.stop])
    ]
  }

  func routes(_ chips: ChipUse) -> [PacketRoute] {
    [
      PacketRoute(Barometer.pressure, outputs: pressure),
      PacketRoute(Barometer.altitude, outputs: altitude),
    ]
  }

  func question(
    for stream: StreamDefinition, _ configuration: JSONObject
  ) throws(CommandFailure) -> SensorQuestion? {
    guard stream.name == "pressure" else { return nil }
    return SensorQuestion(of: Barometer.pressure, warmUp: Barometer.warmUp)
  }
}
