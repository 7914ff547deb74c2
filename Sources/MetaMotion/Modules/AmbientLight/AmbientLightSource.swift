import FleetModel

/// Illuminance as a stream.
struct AmbientLightSource: StreamSource {
  private var shared = SharedSettings<AmbientLight.Configuration>()
  private var outputs = StreamOutputs()

  init?(on board: Inventory) {
    guard board.has(.ambientLight) else { return nil }
  }

  func offers(for stream: StreamDefinition) -> JSONObject? {
    stream.name == "illuminance" ? stream.listedOffers : nil
  }

  mutating func take(_ order: StreamOrder, _ chips: inout ChipUse) throws(CommandFailure) -> StreamTaken {
    let wanted = try AmbientLight.Configuration(order.configuration, of: order.name)
    try shared.agree(on: wanted, for: order.title, sensor: "illuminance") {
      "gain \(ParameterType.plain($0.gain)), integration \(ParameterType.plain($0.integration)) ms, "
        + "period \(ParameterType.plain($0.period)) ms"
    }
    outputs.add(order.key, component: order.component)
    return StreamTaken(
      order.configuration, period: .milliseconds(Int64(wanted.period)), unit: .sensor(.ambientLight))
  }

  func runs(_ chips: ChipUse) -> [SensorRun] {
    guard let configuration = shared.value else { return [] }
    return [
      SensorRun(
        unit: .sensor(.ambientLight), configure: [.write(AmbientLight.configure(configuration))],
        registers: [AmbientLight.illuminance.register], start: [AmbientLight.powerOn],
        stop: [AmbientLight.powerOff])
    ]
  }

  var leftOver: [SensorRun] {
    [
      SensorRun(
        unit: .sensor(.ambientLight), registers: [AmbientLight.illuminance.register],
        stop: [AmbientLight.powerOff])
    ]
  }

  func routes(_ chips: ChipUse) -> [PacketRoute] {
    [PacketRoute(AmbientLight.illuminance, outputs: outputs)]
  }
}
