import BoardKit

/// A signal that sensors make, before any processor: where it comes out, what it carries, what it is called.
struct RootSignal: Sendable {
  /// Canonical name, without channel or component (protocol reference, section 29.1).
  let name: String
  let register: Register
  var isRead = false
  /// Whether there are several, told apart by an index.
  var isIndexed = false
  let layout: @Sendable (SignalScales) -> SampleLayout

  /// The signal, at `index` where there are several.
  func signal(index: UInt8? = nil, _ scales: SignalScales = SignalScales()) -> Signal {
    Signal(
      address: SignalAddress(register, isRead ? .silentRead : .notified, index: isIndexed ? index : nil),
      layout: layout(scales))
  }
}

/// The signals of a MetaMotion (protocol reference, section 29).
enum RootSignals {
  /// The signal that comes out at `address` on a board with this chip; nil for one that is not known.
  static func find(_ address: SignalAddress, on chip: Accelerometer.Chip?) -> RootSignal? {
    all(on: chip).first { $0.register == address.register }
  }

  /// The signal of that name; nil for one that is not known.
  static func find(named name: String, on chip: Accelerometer.Chip?) -> RootSignal? {
    all(on: chip).first { $0.name == name }
  }

  /// All on a board with this chip. The chips deliver rotation by different registers (trap 37-22).
  static func all(on chip: Accelerometer.Chip?) -> [RootSignal] {
    common + (chip == .bmi270 ? bmi270 : bmi160)
  }

  static let quaternion = Register(.sensorFusion, 0x07)
  static let euler = Register(.sensorFusion, 0x08)

  private static let common: [RootSignal] = [
    RootSignal(name: "switch", register: Switch.state) { _ in .numbers(.plain(1)) },
    RootSignal(name: "acceleration", register: Accelerometer.data) { vector($0.acceleration, .g) },
    RootSignal(name: "temperature", register: Temperature.value, isRead: true, isIndexed: true) { _ in
      .numbers(Numbers(width: 2, isSigned: true, scale: Temperature.countsPerDegree, unit: .c))
    },
    RootSignal(
      name: "abs-ref", register: Register(.gpio, Pin.Measure.voltage.rawValue), isRead: true, isIndexed: true
    ) { _ in
      .numbers(Numbers(width: 2, unit: .mv))
    },
    RootSignal(
      name: "adc", register: Register(.gpio, Pin.Measure.adc.rawValue), isRead: true, isIndexed: true
    ) { _ in
      .numbers(.plain(2))
    },
    RootSignal(
      name: "digital", register: Register(.gpio, Pin.Measure.digital.rawValue), isRead: true, isIndexed: true
    ) { _ in
      .numbers(.plain(1))
    },
    RootSignal(name: "pin-monitor", register: Pin.change, isIndexed: true) { _ in .numbers(.plain(1)) },
    RootSignal(name: "i2c", register: SerialBus.i2c, isRead: true, isIndexed: true) { _ in
      .numbers(.plain(1))
    },
    RootSignal(name: "spi", register: SerialBus.spi, isRead: true, isIndexed: true) { _ in
      .numbers(.plain(1))
    },
    RootSignal(name: "battery", register: Battery.state, isRead: true) { _ in
      .record([.numbers(Numbers(width: 1, unit: .pct)), .numbers(Numbers(width: 2, unit: .mv))])
    },
    RootSignal(name: "power-status", register: PowerSupply.powerStatus) { _ in .numbers(.plain(1)) },
    RootSignal(name: "charge-status", register: PowerSupply.chargeStatus) { _ in .numbers(.plain(1)) },
    RootSignal(name: "pressure", register: Register(.barometer, 0x01)) { _ in
      .numbers(Numbers(width: 4, scale: Barometer.countsPerPascal, unit: .pa))
    },
    RootSignal(name: "altitude", register: Register(.barometer, 0x02)) { _ in
      .numbers(Numbers(width: 4, isSigned: true, scale: Barometer.countsPerMetre, unit: .m))
    },
    RootSignal(name: "illuminance", register: Register(.ambientLight, 0x03)) { _ in
      .numbers(Numbers(width: 4, scale: AmbientLight.countsPerLux, unit: .lx))
    },
    RootSignal(name: "magnetic-field", register: Register(.magnetometer, 0x05)) { _ in
      vector(Magnetometer.countsPerMicrotesla, .ut)
    },
    RootSignal(name: "relative-humidity", register: Register(.humidity, 0x01), isRead: true) { _ in
      .numbers(Numbers(width: 4, scale: Humidity.countsPerPercent, unit: .pct))
    },
    RootSignal(name: "corrected-acceleration", register: Register(.sensorFusion, 0x04)) { _ in
      corrected(SensorFusion.countsPerG, .g)
    },
    RootSignal(name: "corrected-angular-velocity", register: Register(.sensorFusion, 0x05)) { _ in
      corrected(1, .dps)
    },
    RootSignal(name: "corrected-magnetic-field", register: Register(.sensorFusion, 0x06)) { _ in
      corrected(1, .ut)
    },
    RootSignal(name: "quaternion", register: quaternion) { _ in floats(4, 1, .none) },
    RootSignal(name: "euler-angles", register: euler) { _ in floats(4, 1, .deg) },
    RootSignal(name: "gravity", register: Register(.sensorFusion, 0x09)) { _ in
      floats(3, SensorFusion.standardGravity, .g)
    },
    RootSignal(name: "linear-acceleration", register: Register(.sensorFusion, 0x0A)) { _ in
      floats(3, SensorFusion.standardGravity, .g)
    },
  ]

  private static let bmi160: [RootSignal] = [
    rotation(0x05), RootSignal(name: "orientation", register: Register(.accelerometer, 0x11), layout: byte),
    RootSignal(name: "steps", register: Register(.accelerometer, 0x19), layout: byte),
    RootSignal(name: "bosch-motion", register: Register(.accelerometer, 0x0B), layout: byte),
  ]

  private static let bmi270: [RootSignal] = [
    rotation(0x04),
    RootSignal(name: "steps", register: Register(.accelerometer, 0x0B), layout: byte),
    RootSignal(name: "bosch-motion", register: Register(.accelerometer, 0x09), layout: byte),
  ]

  private static func rotation(_ register: UInt8) -> RootSignal {
    RootSignal(name: "angular-velocity", register: Register(.gyroscope, register)) {
      vector($0.rotation, .dps)
    }
  }

  private static let byte: @Sendable (SignalScales) -> SampleLayout = { _ in .numbers(.plain(1)) }

  private static func vector(_ scale: Double, _ unit: Numbers.Unit) -> SampleLayout {
    .numbers(Numbers(channels: 3, width: 2, isSigned: true, scale: scale, unit: unit))
  }

  private static func floats(_ channels: Int, _ scale: Double, _ unit: Numbers.Unit) -> SampleLayout {
    .numbers(Numbers(channels: channels, width: 4, isFloat: true, scale: scale, unit: unit))
  }

  private static func corrected(_ scale: Double, _ unit: Numbers.Unit) -> SampleLayout {
    .record([floats(3, scale, unit), .numbers(.plain(1))])
  }
}
