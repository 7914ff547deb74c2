import FleetModel

/// Whether the board is on external power and whether it charges (protocol reference, section 20).
enum PowerSupply: SensorModule {
  static let powerStatus = SensorSignal(
    name: "power-status", stream: "power-status", title: "external power",
    register: Register(.settings, 0x11), access: .both, values: .flag("present"))
  static let chargeStatus = SensorSignal(
    name: "charge-status", stream: "charge-status", title: "charging", register: Register(.settings, 0x12),
    access: .both, values: .flag("active"))

  /// Whether this board's settings module tells about external power.
  static func hasPowerStatus(_ settings: BoardDescription.Module?) -> Bool {
    capabilities(settings) & 0b01 != 0
  }

  /// Whether this board's settings module tells about charging.
  static func hasChargeStatus(_ settings: BoardDescription.Module?) -> Bool {
    capabilities(settings) & 0b10 != 0
  }

  /// The bits count from revision 5 on; before, the byte is not there or means something else.
  private static func capabilities(_ settings: BoardDescription.Module?) -> UInt8 {
    guard let settings, let revision = settings.revision, revision >= 5 else { return 0 }
    return settings.extra.first ?? 0
  }

  static func signals(on chip: Accelerometer.Chip?) -> [SensorSignal] {
    [Battery.state, powerStatus, chargeStatus]
  }

  static var sources: [any StreamSource.Type] { [PowerSource.self] }

  static func settings(on board: Inventory) -> SensorSettings? { nil }

  static func meanings(_ context: PacketContext) -> [RegisterMeaning] { SettingsMeanings.registers }
}
