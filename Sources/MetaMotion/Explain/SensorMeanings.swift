import BoardKit
import FleetModel

/// Registers of the small sensors (protocol reference, sections 5, 10 and 21).
enum SensorMeanings {
  static let switches: [RegisterMeaning] = [.signal(0x01, "button") { $0.flag("pressed") }]

  static let temperature: [RegisterMeaning] = [
    .value(0x01, "temperature", question: channel) { reader in
      let celsius = Temperature.layout.values(in: reader.packet)?.first
      channel(&reader)
      if reader.passed(2, if: celsius != nil), let celsius {
        reader.add("temperature", .number(celsius), "°C")
      }
    },
    RegisterMeaning(
      number: 0x02, name: "thermistor on pins",
      write: { reader in
        channel(&reader)
        reader.number("data pin", UInt8.self)
        reader.number("pull-down pin", UInt8.self)
        reader.flag("active high")
      }, question: channel, answer: { $0.bytes("settings") }),
  ]

  private static let channel: RegisterMeaning.Layout = { reader in
    guard let channel = reader.rest.first else { return reader.number("channel", UInt8.self) }
    let sources = reader.context.temperatureSources
    reader.number("channel", UInt8.self)
    if sources.indices.contains(Int(channel)), let source = sources[Int(channel)] {
      reader.add("source", .string(source.name))
    }
  }

  static let barometer: [RegisterMeaning] = [
    .signal(0x01, "pressure") { $0.scaled("pressure", UInt32.self, per: 256, "Pa") },
    .signal(0x02, "altitude") { $0.scaled("altitude", Int32.self, per: 256, "m") },
    .setting(0x03, "oversampling, filter and standby") { $0.bytes("codes", 2) },
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
