import FleetModel

/// The battery, external power and charging as streams (protocol reference, section 20).
struct PowerSource: StreamSource {
  /// One flag of the settings module, and who wants it.
  private struct State: Sendable {
    let name: String
    let register: Register
    let notice: Notice
    var outputs = StreamOutputs()

    var run: SensorRun {
      SensorRun(
        unit: .state(module: register.module.rawValue, register: register.number), registers: [register])
    }
  }

  private static let layout = PacketLayout(.flag)
  private let hasBattery: Bool
  private var states: [State] = []

  init?(on board: Inventory) {
    guard board.has(.settings) else { return nil }
    hasBattery = board.has(.settings, from: Battery.firstRevision)
    let settings = board.modules[.settings]
    if PowerSupply.hasPowerStatus(settings) {
      states.append(State(name: "power-status", register: PowerSupply.powerStatus, notice: .power))
    }
    if PowerSupply.hasChargeStatus(settings) {
      states.append(State(name: "charge-status", register: PowerSupply.chargeStatus, notice: .charge))
    }
  }

  func offers(for stream: StreamDefinition) -> JSONObject? {
    stream.name == "battery" && hasBattery || states.contains { $0.name == stream.name } ? [:] : nil
  }

  mutating func take(_ order: StreamOrder, _ chips: inout ChipUse) throws(CommandFailure) -> StreamTaken {
    if let polled = order.polled { return polled }
    guard let index = states.firstIndex(where: { $0.name == order.definition.name }) else {
      throw .invalid("\(order.name) is read by polling and needs \"every\"")
    }
    states[index].outputs.add(order.key, component: order.component)
    return StreamTaken(order.configuration, unit: states[index].run.unit)
  }

  func runs(_ chips: ChipUse) -> [SensorRun] { states.filter { !$0.outputs.isEmpty }.map(\.run) }
  var leftOver: [SensorRun] { states.map(\.run) }

  func routes(_ chips: ChipUse) -> [PacketRoute] {
    states.map {
      PacketRoute(
        $0.register, Self.layout, outputs: $0.outputs, notice: $0.outputs.isEmpty ? nil : $0.notice)
    }
  }

  func question(
    for stream: StreamDefinition, _ configuration: JSONObject
  ) throws(CommandFailure) -> SensorQuestion? {
    if let state = states.first(where: { $0.name == stream.name }) {
      return SensorQuestion(register: state.register, layout: Self.layout)
    }
    return SensorQuestion(register: Battery.state) { reply in
      Battery(reply).map { [Double($0.percent), Double($0.millivolts)] }
    }
  }
}
