import BoardKit
import FleetModel

extension AmbientLight: SensorModule {
  /// In thousandths of a lux.
  static let illuminance = SensorSignal(
    name: "illuminance", stream: "illuminance", title: "illuminance",
    register: Register(.ambientLight, 0x03),
    values: .init(number: .uint32, labels: ["illuminance"], scale: .fixed(1_000), unit: .lx))

  static func signals(on chip: Accelerometer.Chip?) -> [SensorSignal] { [illuminance] }

  static var sources: [any StreamSource.Type] { [AmbientLightSource.self] }

  static func settings(on board: Inventory) -> SensorSettings? {
    guard board.has(.ambientLight) else { return nil }
    return SensorSettings([settings]) { payloads in
      guard let settings = Configuration(payloads[0]) else { return [:] }
      return [
        "gain": .plain(settings.gain), "integration_ms": .plain(settings.integration),
        "period_ms": .plain(settings.period),
      ]
    }
  }

  static func meanings(_ context: PacketContext) -> [RegisterMeaning] { meanings }

  private static let meanings: [RegisterMeaning] = [
    .setting(0x01, "power") { $0.flag("on") },
    .setting(0x02, "gain, integration and period") { reader in
      let light = AmbientLight.Configuration(reader.rest)
      guard reader.passed(2, if: light != nil), let light else { return reader.bytes("codes") }
      reader.add("gain", .number(light.gain), "times")
      reader.add("integration", .number(light.integration), "ms")
      reader.add("period", .number(light.period), "ms")
    },
  ]
}
