/// The modules that are simulated. The others that a board has answer their information read and ignore the
/// rest.
enum ModuleTable {
  static let simulated: [any FirmwareModule.Type] = [
    SwitchModule.self,
    LEDModule.self,
    AccelerometerModule.self,
    TemperatureModule.self,
    LoggingModule.self,
    SettingsModule.self,
    DebugModule.self,
  ]

  static func modules(of board: Mainboard) -> [any FirmwareModule] {
    simulated.filter { board.model.modules[$0.id] != nil }.map { $0.init(board) }
  }
}
