import BoardKit
import FleetModel

extension Magnetometer: SensorModule {
  /// What it measures, in sixteenths of a microtesla.
  static let field = SensorSignal(
    name: "magnetic-field", stream: "magnetic-field", title: "field", register: data, packed: packedData,
    values: .axes(.int16, .fixed(16), .ut))

  static func signals(on chip: Accelerometer.Chip?) -> [SensorSignal] { [field] }

  static var sources: [any StreamSource.Type] { [MagnetometerSource.self] }

  static func settings(on board: Inventory) -> SensorSettings? {
    guard board.has(.magnetometer) else { return nil }
    return SensorSettings([repetitions, rate]) { payloads in
      guard let settings = Configuration(repetitions: payloads[0], rate: payloads[1]) else { return [:] }
      return [
        "rate_hz": .plain(settings.hertz), "xy_reps": .integer(Int64(settings.repetitionsXY)),
        "z_reps": .integer(Int64(settings.repetitionsZ)),
      ]
    }
  }

  static func meanings(_ context: PacketContext) -> [RegisterMeaning] { meanings }

  private static let meanings: [RegisterMeaning] = [
    .setting(0x01, "power") { $0.choice("mode", ["sleep", "on", "suspend"]) },
    .mask(0x02, "sampling", ["data"]),
    .setting(0x03, "rate") {
      $0.choice("rate in Hz", Magnetometer.Configuration.rates.map(ParameterType.plain))
    },
    .setting(0x04, "repetitions") { reader in
      reader.parts(.init("on x and y", 8, from: 1, by: 2))
      reader.parts(.init("on z", 8, from: 1))
    },
    .mask(0x06, "alarms", ["low x", "low y", "low z", "high x", "high y", "high z"]),
    .setting(0x07, "thresholds of alarms") { reader in
      for name in ["low", "high"] { reader.parts(.init(name, 8, by: Magnetometer.thresholdStep, "µT")) }
    },
    .signal(0x08, "alarm") { $0.noticed(by: .magneticAlarm) },
  ]

  static func detectors(on chip: Accelerometer.Chip?) -> [String: Register] { ["magnetic-alarm": alarm] }
}
