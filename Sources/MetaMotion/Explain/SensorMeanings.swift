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

  static let light: [RegisterMeaning] = [
    .setting(0x01, "power") { $0.flag("on") },
    .setting(0x02, "gain, integration and period") { reader in
      let light = AmbientLight.Configuration(reader.rest)
      guard reader.passed(2, if: light != nil), let light else { return reader.bytes("codes") }
      reader.add("gain", .number(light.gain), "times")
      reader.add("integration", .number(light.integration), "ms")
      reader.add("period", .number(light.period), "ms")
    },
    .signal(0x03, "illuminance") { $0.scaled("illuminance", UInt32.self, per: 1000, "lx") },
  ]

  static let humidity: [RegisterMeaning] = [
    .value(0x01, "humidity") { $0.scaled("humidity", UInt32.self, per: 1024, "%") },
    .setting(0x02, "oversampling") { $0.choice("times", ["skipped", "1", "2", "4", "8", "16"]) },
  ]

  static let magnetometer: [RegisterMeaning] = [
    .setting(0x01, "power") { $0.choice("mode", ["sleep", "on", "suspend"]) },
    .mask(0x02, "sampling", ["data"]),
    .setting(0x03, "rate") {
      $0.choice("rate in Hz", Magnetometer.Configuration.rates.map(ParameterType.plain))
    },
    .setting(0x04, "repetitions") { reader in
      reader.parts(.init("on x and y", 8, from: 1, by: 2))
      reader.parts(.init("on z", 8, from: 1))
    },
    .signal(0x05, "field") { $0.axes("", countsPerUnit: Magnetometer.countsPerMicrotesla, "µT") },
    .mask(0x06, "alarms", ["low x", "low y", "low z", "high x", "high y", "high z"]),
    .setting(0x07, "thresholds of alarms") { reader in
      for name in ["low", "high"] { reader.parts(.init(name, 8, by: Magnetometer.thresholdStep, "µT")) }
    },
    .signal(0x08, "alarm") { $0.noticed(by: .magneticAlarm) },
    .signal(0x09, "field, three samples") { reader in
      for number in 1...3 {
        reader.axes("\(number) ", countsPerUnit: Magnetometer.countsPerMicrotesla, "µT")
      }
    },
  ]
}
