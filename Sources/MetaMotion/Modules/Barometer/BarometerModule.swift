import BoardKit
import FleetModel

extension Barometer: SensorModule {
  static let pressure = SensorSignal(
    name: "pressure", stream: "pressure", title: "pressure", register: Register(.barometer, 0x01),
    access: .both,
    values: .init(number: .uint32, labels: ["pressure"], scale: .fixed(256), unit: .pa))
  static let altitude = SensorSignal(
    name: "altitude", stream: "altitude", title: "altitude", register: Register(.barometer, 0x02),
    values: .init(number: .int32, labels: ["altitude"], scale: .fixed(256), unit: .m))

  static func signals(on chip: Accelerometer.Chip?) -> [SensorSignal] { [pressure, altitude] }

  static var activity: SensorRun.Proof? { .init(register: sampling) }

  static var sources: [any StreamSource.Type] { [BarometerSource.self] }

  static func settings(on board: Inventory) -> SensorSettings? {
    guard let barometer = Barometer(board.modules[.barometer]) else { return nil }
    return SensorSettings([settings]) { barometer.keys(in: $0[0]) }
  }

  /// The settings in two bytes, in the keys of the catalogue; empty when no host writes them.
  private func keys(in payload: [UInt8]) -> JSONObject {
    guard let settings = Configuration(payload),
      Configuration.oversamplings.indices.contains(Int(settings.oversampling) - 1),
      Configuration.filters.indices.contains(Int(settings.filter))
    else { return [:] }
    return [
      "oversampling": .string(Configuration.oversamplings[Int(settings.oversampling) - 1]),
      "filter": .integer(Int64(Configuration.filters[Int(settings.filter)])),
      "standby_ms": .plain(chip.standbyTimes[Int(settings.standby)]),
    ]
  }

  static func meanings(_ context: PacketContext) -> [RegisterMeaning] { meanings }

  private static let meanings: [RegisterMeaning] = [
    .setting(0x03, "oversampling, filter and standby") { reader in
      let times = ["skipped", "1", "2", "4", "8", "16"]
      reader.parts(.unused(2), .init("pressure", 3, times, "times"), .init("temperature", 3, times, "times"))
      reader.parts(
        .unused(2), .init("filter", 3, ["off", "2", "4", "8", "16"]),
        .init("standby", 3, ["0.5", "62.5", "125", "250", "500", "1000"], "ms"))
    },
    RegisterMeaning(
      number: 0x04, name: "sampling",
      write: { reader in
        reader.flag("on")
        reader.flag("altitude too")
      }, question: RegisterMeaning.nothing,
      answer: { reader in
        let isSampling = Barometer.isSampling(reader.packet)
        if reader.passed(1, if: isSampling != nil), let isSampling {
          reader.add("samples", .bool(isSampling))
        }
      }),
  ]
}
