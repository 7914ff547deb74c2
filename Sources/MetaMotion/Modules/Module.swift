/// A functional unit of the board's firmware, by its number on the wire (protocol reference, section 4).
///
/// The cases are the modules a MetaMotion is asked for, in the order in which an interview asks (section 3.1). A new
/// sensor has its case, its name and its role here, and all else in a folder of its own.
enum Module: UInt8, CaseIterable, Sendable {
  case `switch` = 0x01
  case led = 0x02
  case accelerometer = 0x03
  case temperature = 0x04
  case gpio = 0x05
  case iBeacon = 0x07
  case haptic = 0x08
  case processor = 0x09
  case event = 0x0A
  case logging = 0x0B
  case timer = 0x0C
  case serial = 0x0D
  case macro = 0x0F
  case settings = 0x11
  case barometer = 0x12
  case gyroscope = 0x13
  case ambientLight = 0x14
  case magnetometer = 0x15
  case humidity = 0x16
  case sensorFusion = 0x19
  case debug = 0xFE

  /// The module's name in documents and commands (MQTT contract 1.1).
  var name: String {
    switch self {
    case .switch: "switch"
    case .led: "led"
    case .accelerometer: "accelerometer"
    case .temperature: "temperature"
    case .gpio: "gpio"
    case .iBeacon: "ibeacon"
    case .haptic: "haptic"
    case .processor: "processor"
    case .event: "event"
    case .logging: "logging"
    case .timer: "timer"
    case .serial: "serial"
    case .macro: "macro"
    case .settings: "settings"
    case .barometer: "barometer"
    case .gyroscope: "gyroscope"
    case .ambientLight: "ambient-light"
    case .magnetometer: "magnetometer"
    case .humidity: "humidity"
    case .sensorFusion: "sensor-fusion"
    case .debug: "debug"
    }
  }

  /// Who knows what its registers are about.
  enum Role {
    /// It has sensors.
    case sensor(any SensorModule.Type)
    /// It has none, and these registers.
    case other([RegisterMeaning])
  }

  /// Who knows what this module's registers are about.
  var role: Role {
    switch self {
    case .switch: .sensor(Switch.self)
    case .led: .other(OutputMeanings.led)
    case .accelerometer: .sensor(Accelerometer.self)
    case .temperature: .sensor(Temperature.self)
    case .gpio: .sensor(Pin.self)
    case .iBeacon: .other(BeaconMeanings.registers)
    case .haptic: .other(OutputMeanings.haptic)
    case .processor: .other(ProcessorMeanings.registers)
    case .event: .other(ProgramMeanings.event)
    case .logging: .other(LoggingMeanings.registers)
    case .timer: .other(ProgramMeanings.timer)
    case .serial: .sensor(SerialBus.self)
    case .macro: .other(ProgramMeanings.macro)
    case .settings: .sensor(PowerSupply.self)
    case .barometer: .sensor(Barometer.self)
    case .gyroscope: .sensor(Gyroscope.self)
    case .ambientLight: .sensor(AmbientLight.self)
    case .magnetometer: .sensor(Magnetometer.self)
    case .humidity: .sensor(Humidity.self)
    case .sensorFusion: .sensor(SensorFusion.self)
    case .debug: .other(DebugMeanings.registers)
    }
  }

  /// The module's sensors; nil where it has none.
  var sensor: (any SensorModule.Type)? { if case .sensor(let sensor) = role { sensor } else { nil } }

  /// The module of that name; nil when there is none.
  init?(named name: String) {
    guard let module = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = module
  }

  /// Whether a packet has a header, of a module that we do not know: nothing to read, and nothing wrong with it.
  static func isUnknown(of packet: RawSpan) -> Bool {
    packet.byteCount >= 2 && Module(rawValue: packet.unsafeLoadUnaligned(as: UInt8.self)) == nil
  }
}

extension Module: Comparable {
  static func < (left: Module, right: Module) -> Bool { left.rawValue < right.rawValue }
}
