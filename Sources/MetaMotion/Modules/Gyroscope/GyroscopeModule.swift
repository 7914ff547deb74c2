import BoardKit
import FleetModel

extension Gyroscope: SensorModule {
  /// The full scale; 16.4 counts are 1 °/s at 2000 °/s.
  static let range = SensorRange(
    settings: settings, key: "range_dps", initial: 2000, counts: 32_800,
    unknown:
      "no packet before told the range; one °/s is 16.4 counts at 2000 °/s, twice as many at half of it"
  ) { payload, _ in
    guard payload.count >= 2, let range = Range(code: payload[1] & 0x07) else { return nil }
    return Double(range.rawValue)
  }

  /// What it measures.
  static func rotation(on chip: Chip) -> SensorSignal {
    SensorSignal(
      name: "angular-velocity", stream: "angular-velocity", title: "angular velocity",
      register: data(on: chip),
      packed: packedData(on: chip), values: .axes(.int16, .ranged(range), .dps))
  }

  /// Where samples come one to a packet (trap T22).
  static func data(on chip: Chip) -> Register { Register(.gyroscope, chip == .bmi160 ? 0x05 : 0x04) }

  /// Where three samples come in one packet, on firmware that can.
  static func packedData(on chip: Chip) -> Register { Register(.gyroscope, chip == .bmi160 ? 0x07 : 0x05) }

  static func signals(on chip: Chip?) -> [SensorSignal] { chip.map { [rotation(on: $0)] } ?? [] }

  static var sources: [any StreamSource.Type] { [GyroscopeSource.self] }

  static func settings(on board: Inventory) -> SensorSettings? {
    guard Gyroscope(board.modules[.gyroscope]) != nil else { return nil }
    return SensorSettings([settings]) { payloads in
      guard let settings = Configuration(payloads[0]) else { return [:] }
      return ["rate_hz": .plain(settings.hertz), "range_dps": .integer(Int64(settings.range.rawValue))]
    }
  }

  static func meanings(_ context: PacketContext) -> [RegisterMeaning] {
    GyroscopeMeanings.registers(of: context.chip)
  }
}
