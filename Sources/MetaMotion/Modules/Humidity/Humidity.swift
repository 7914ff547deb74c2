import FleetModel

/// The humidity sensor that comes with a BME280; no MetaMotion has one (protocol reference, section 25).
enum Humidity: SensorModule {
  static let oversampling = Register(.humidity, 0x02)

  static let humidity = SensorSignal(
    name: "relative-humidity", stream: "humidity", title: "humidity", register: Register(.humidity, 0x01),
    access: .read,
    values: .init(number: .uint32, labels: ["humidity"], scale: .fixed(1_024), unit: .pct))

  private static let factors: [Double] = [1, 2, 4, 8, 16]

  /// Has each value measured so many times; once for a factor that is not on the list.
  static func configure(oversampling factor: Double) -> [UInt8] {
    oversampling.write(UInt8(factors.firstIndex(of: factor) ?? 0) + 1)
  }

  static func signals(on chip: Accelerometer.Chip?) -> [SensorSignal] { [humidity] }

  static var sources: [any StreamSource.Type] { [HumiditySource.self] }

  static func settings(on board: Inventory) -> SensorSettings? { nil }

  static func meanings(_ context: PacketContext) -> [RegisterMeaning] {
    [.setting(0x02, "oversampling") { $0.choice("times", ["skipped", "1", "2", "4", "8", "16"]) }]
  }
}

/// Relative humidity as a stream that is read.
struct HumiditySource: PolledSource {
  init?(on board: Inventory) {
    guard board.has(.humidity) else { return nil }
  }

  func offers(for stream: StreamDefinition) -> JSONObject? {
    stream.name == "humidity" ? stream.listedOffers : nil
  }

  func question(
    for stream: StreamDefinition, _ configuration: JSONObject
  ) throws(CommandFailure) -> SensorQuestion? {
    SensorQuestion(
      of: Humidity.humidity,
      prepare: configuration["oversampling_x"]?.number.map { [Humidity.configure(oversampling: $0)] } ?? [])
  }
}
