/// The push button (protocol reference, section 5).
enum Switch: SensorModule {
  static let state = Register(.switch, 0x01)

  static let pressed = SensorSignal(
    name: "switch", stream: "switch", title: "button", register: state, access: .both,
    values: .flag("pressed"))

  static func signals(on chip: Accelerometer.Chip?) -> [SensorSignal] { [pressed] }

  static var sources: [any StreamSource.Type] { [SwitchSource.self] }

  static func settings(on board: Inventory) -> SensorSettings? { nil }

  static func meanings(_ context: PacketContext) -> [RegisterMeaning] { [] }
}
