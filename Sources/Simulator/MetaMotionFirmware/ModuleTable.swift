/// The modules that a MetaMotion can have; a board has those that its model lists.
enum ModuleTable {
  static let simulated: [any FirmwareModule.Type] = [
    SwitchModule.self,
    LEDModule.self,
    AccelerometerModule.self,
    TemperatureModule.self,
    GPIOModule.self,
    BeaconModule.self,
    HapticModule.self,
    ProcessorModule.self,
    EventModule.self,
    LoggingModule.self,
    TimerModule.self,
    SerialModule.self,
    MacroModule.self,
    SettingsModule.self,
    BarometerModule.self,
    GyroscopeModule.self,
    AmbientLightModule.self,
    MagnetometerModule.self,
    HumidityModule.self,
    SensorFusionModule.self,
    DebugModule.self,
  ]

  static func modules(of board: Mainboard) -> [any FirmwareModule] {
    simulated.filter { board.model.modules[$0.id] != nil }.map { $0.init(board) }
  }
}
