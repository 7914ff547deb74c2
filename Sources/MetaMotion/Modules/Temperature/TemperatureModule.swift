import BoardKit
import FleetModel

extension Temperature: SensorModule {
  /// In eighths of a degree Celsius, behind the channel.
  static let temperature = SensorSignal(
    name: "temperature", title: "temperature", register: Register(.temperature, 0x01), access: .read,
    index: .init(
      of: { stream, board in Source(ofStream: stream).flatMap { board.temperature?.channel(of: $0) } },
      layout: channel),
    values: .init(number: .int16, labels: ["temperature"], scale: .fixed(8), unit: .c))

  static func signals(on chip: Accelerometer.Chip?) -> [SensorSignal] { [temperature] }

  static var sources: [any StreamSource.Type] { [TemperatureSource.self] }

  static func settings(on board: Inventory) -> SensorSettings? { nil }

  static func meanings(_ context: PacketContext) -> [RegisterMeaning] { meanings }

  private static let meanings: [RegisterMeaning] = [
    RegisterMeaning(
      number: 0x02, name: "thermistor on pins",
      write: { reader in
        channel(&reader)
        reader.number("data pin", UInt8.self)
        reader.number("pull-down pin", UInt8.self)
        reader.flag("active high")
      }, question: channel, answer: { $0.bytes("settings") })
  ]

  private static let channel: RegisterMeaning.Layout = { reader in
    guard let channel = reader.rest.first else { return reader.number("channel", UInt8.self) }
    let sources = reader.context.temperatureSources
    reader.number("channel", UInt8.self)
    if sources.indices.contains(Int(channel)), let source = sources[Int(channel)] {
      reader.add("source", .string(source.name))
    }
  }
}
