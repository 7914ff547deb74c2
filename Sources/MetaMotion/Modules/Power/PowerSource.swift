import FleetModel

/// The battery, external power and charging as streams (protocol reference, section 20).
struct PowerSource: StreamSource {
  /// One flag of the settings module, and who wants it.
  private struct State: Sendable {
    let signal: SensorSignal
    let notice: Notice
    var outputs = StreamOutputs()

    var name: String { signal.name }

    var run: SensorRun {
      let register = signal.register
      return SensorRun(
        unit: .state(module: register.module.rawValue, register: register.number), registers: [register])
    }
  }

  private let hasBattery: Bool
  private var states: [State] = []

  init?(on board: Inventory) {
    guard board.has(.settings) else { return nil }
    hasBattery = board.has(.settings, from: Battery.firstRevision)
    let settings = board.modules[.settings]
    if PowerSupply.hasPowerStatus(settings) {
      states.append(State(signal: PowerSupply.powerStatus, notice: .power))
    }
    if PowerSupply.hasChargeStatus(settings) {
      states.append(State(signal: PowerSupply.chargeStatus, notice: .charge))
    }
  }

  func offers(for stream: StreamDefinition) -> JSONObject? {
    stream.name == "battery" && hasBattery || states.contains { $0.name == stream.name } ? [:] : nil
  }

  mutating func take(_ order: StreamOrder, _ chips: inout ChipUse) throws(CommandFailure) -> StreamTaken {
    if let polled = order.polled { return polled }
    guard let index = states.firstIndex(where: { $0.name == order.definition.name }) else {
      throw order.needsPolling
    }
    states[index].outputs.add(order.key, component: order.component)
    return StreamTaken(order.configuration, unit: states[index].run.unit)
  }

  func runs(_ chips: ChipUse) -> [SensorRun] { states.filter { !$0.outputs.isEmpty }.map(\.run) }
  var leftOver: [SensorRun] { states.map(\.run) }

  func routes(_ chips: ChipUse) -> [PacketRoute] {
    states.map {
      PacketRoute($0.signal, outputs: $0.outputs, notice: $0.outputs.isEmpty ? nil : $0.notice)
    }
  }

  func question(
    for stream: StreamDefinition, _ configuration: JSONObject
  ) throws(CommandFailure) -> SensorQuestion? {
    SensorQuestion(of: states.first { $0.name == stream.name }?.signal ?? Battery.state)
  }
}
