import FleetModel

/// The push button as a stream (protocol reference, section 5). Its presses are events as well, as long as a link is
/// up.
struct SwitchSource: StreamSource {
  private var outputs = StreamOutputs()

  /// Has changes told.
  static let run = SensorRun(
    unit: .state(module: Switch.state.module.rawValue, register: Switch.state.number),
    registers: [Switch.state])

  init?(on board: Inventory) {
    guard board.has(.switch) else { return nil }
  }

  func offers(for stream: StreamDefinition) -> JSONObject? { stream.name == "switch" ? [:] : nil }

  mutating func take(_ order: StreamOrder, _ chips: inout ChipUse) throws(CommandFailure) -> StreamTaken {
    if let polled = order.polled { return polled }
    outputs.add(order.key, component: order.component)
    return StreamTaken(order.configuration, unit: Self.run.unit)
  }

  func runs(_ chips: ChipUse) -> [SensorRun] { outputs.isEmpty ? [] : [Self.run] }
  var leftOver: [SensorRun] { [Self.run] }
  func routes(_ chips: ChipUse) -> [PacketRoute] {
    [PacketRoute(Switch.pressed, outputs: outputs)]
  }

  func question(
    for stream: StreamDefinition, _ configuration: JSONObject
  ) throws(CommandFailure) -> SensorQuestion? {
    SensorQuestion(of: Switch.pressed)
  }
}
