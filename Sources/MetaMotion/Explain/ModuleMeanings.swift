import FleetModel

/// Which registers a module has, as far as they are explained.
enum ModuleMeanings {
  /// Register 0, which every module has (protocol reference, section 3.2).
  static let information = RegisterMeaning.value(0, "module information") { reader in
    guard let info = ModuleInfo.decode(reader.packet) else { return }
    reader.add("present", .bool(info.isPresent))
    guard info.isPresent else { return }
    reader.number("implementation", UInt8.self)
    reader.number("revision", UInt8.self)
    reader.bytes("extra")
  }

  /// The other registers.
  static func registers(of module: Module, _ context: PacketContext) -> [RegisterMeaning] {
    switch module {
    case .switch: SensorMeanings.switches
    case .led: OutputMeanings.led
    case .accelerometer: AccelerometerMeanings.registers(of: context.chip)
    case .temperature: SensorMeanings.temperature
    case .haptic: OutputMeanings.haptic
    case .logging: LoggingMeanings.registers
    case .settings: SettingsMeanings.registers
    case .barometer: SensorMeanings.barometer
    case .debug: DebugMeanings.registers
    case .gyroscope: GyroscopeMeanings.registers(of: context.chip)
    case .ambientLight: SensorMeanings.light
    case .magnetometer: SensorMeanings.magnetometer
    case .humidity: SensorMeanings.humidity
    case .sensorFusion: FusionMeanings.registers
    case .gpio: BusMeanings.gpio
    case .iBeacon: BusMeanings.beacon
    case .serial: BusMeanings.serial
    case .processor: ProcessorMeanings.registers
    case .timer: ProgramMeanings.timer
    case .event: ProgramMeanings.event
    case .macro: ProgramMeanings.macro
    }
  }
}
