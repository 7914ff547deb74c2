import FleetModel

/// The humidity sensor that comes with a BME280; no MetaMotion has one (protocol reference, section 25).
enum Humidity {
  static let value = Register(.humidity, 0x01)
  static let oversampling = Register(.humidity, 0x02)
  static let countsPerPercent = 1_024.0
  static let layout = PacketLayout(.uint32, scale: 1 / countsPerPercent)

  private static let factors: [Double] = [1, 2, 4, 8, 16]

  /// Has each value measured so many times; once for a factor that is not on the list.
  static func configure(oversampling factor: Double) -> [UInt8] {
    oversampling.write(UInt8(factors.firstIndex(of: factor) ?? 0) + 1)
  }
}

/// Relative humidity as a stream that is read.
struct HumiditySource: StreamSource {
  init?(on board: Inventory) {
    guard board.has(.humidity) else { return nil }
  }

  func offers(for stream: StreamDefinition) -> JSONObject? {
    stream.name == "humidity" ? stream.listedOffers : nil
  }

  func take(_ order: StreamOrder, _ chips: inout ChipUse) throws(CommandFailure) -> StreamTaken {
    guard let polled = order.polled else { throw .invalid("humidity is read by polling and needs \"every\"") }
    return polled
  }

  func runs(_ chips: ChipUse) -> [SensorRun] { [] }
  var leftOver: [SensorRun] { [] }
  func routes(_ chips: ChipUse) -> [PacketRoute] { [] }

  func question(
    for stream: StreamDefinition, _ configuration: JSONObject
  ) throws(CommandFailure) -> SensorQuestion? {
    SensorQuestion(
      prepare: configuration["oversampling_x"]?.number.map { [Humidity.configure(oversampling: $0)] } ?? [],
      register: Humidity.value, layout: Humidity.layout)
  }
}
