import BoardKit
import FleetModel

/// Registers of the pins, the serial buses and the beacon (protocol reference, sections 11, 12 and 18).
enum BusMeanings {
  static let gpio: [RegisterMeaning] = [
    .action(0x01, "drive high", pin), .action(0x02, "drive low", pin), .action(0x03, "pull up", pin),
    .action(0x04, "pull down", pin), .action(0x05, "no pull", pin),
    .value(0x06, "voltage", question: measurement) { reader in
      pin(&reader)
      reader.number("voltage", UInt16.self, "mV")
    },
    .value(0x07, "share of the supply", question: measurement) { reader in
      pin(&reader)
      reader.number("share", UInt16.self, "of 1023")
    },
    .value(0x08, "level", question: pin, level),
    RegisterMeaning(
      number: 0x09, name: "which edges are changes", write: changes, question: pin, answer: changes),
    RegisterMeaning(number: 0x0A, name: "change", write: RegisterMeaning.subscription, notification: level),
    .action(0x0B, "notice changes") { reader in
      pin(&reader)
      reader.flag("on")
    },
  ]

  private static let pin: RegisterMeaning.Layout = { $0.number("pin", UInt8.self) }

  private static let level: RegisterMeaning.Layout = { reader in
    pin(&reader)
    reader.flag("high")
  }

  private static let changes: RegisterMeaning.Layout = { reader in
    // Whether answers repeat the pin is not known.
    if reader.rest.count > 1 { pin(&reader) }
    reader.choice("edges", ["none", "rising", "falling", "any"])
  }

  private static let measurement: RegisterMeaning.Layout = { reader in
    pin(&reader)
    guard !reader.rest.isEmpty else { return }
    for name in ["pull-up pin", "pull-down pin"] { reader.slot(name) }
    reader.number("delay", UInt8.self, "× 4 µs")
    reader.slot("virtual pin")
  }

  static let serial: [RegisterMeaning] = [
    RegisterMeaning(
      number: 0x01, name: "I2C",
      write: { reader in
        reader.number("device", UInt8.self)
        reader.number("register", UInt8.self)
        reader.skip(1)
        reader.number("length", UInt8.self, "bytes")
        reader.bytes("data")
      },
      question: { reader in
        reader.number("device", UInt8.self)
        reader.number("register", UInt8.self)
        reader.number("id", UInt8.self)
        reader.number("length", UInt8.self, "bytes")
      }, answer: data, notification: data),
    RegisterMeaning(
      number: 0x02, name: "SPI",
      write: { reader in
        link(&reader)
        reader.bytes("data")
      },
      question: { reader in
        link(&reader)
        if let byte = reader.rest.first {
          reader.add("length", .integer(Int64(byte & 0xF) + 1), "bytes")
          reader.add("id", .integer(Int64(byte >> 4)))
        }
        reader.number("length and id", UInt8.self)
        reader.bytes("data sent first")
      }, answer: data, notification: data),
  ]

  private static let data: RegisterMeaning.Layout = { reader in
    reader.number("id", UInt8.self)
    reader.bytes("data")
  }

  private static let link: RegisterMeaning.Layout = { reader in
    for name in ["select", "clock", "output", "input"] { reader.number("\(name) pin", UInt8.self) }
    reader.bits(
      "flags",
      [
        "lowest bit first", "mode bit 0", "mode bit 1", "clock bit 0", "clock bit 1", "clock bit 2",
        "native pins",
      ])
  }

  static let beacon: [RegisterMeaning] = [
    .setting(0x01, "beacon") { $0.flag("on") },
    .setting(0x02, "UUID") { reader in
      guard reader.rest.count >= 16 else { return reader.bytes("UUID", 16) }
      let printed = Array(reader.rest.prefix(16).reversed()).hex
      reader.add("UUID", .string(printed))
      reader.skip(16)
    },
    .setting(0x03, "major") { $0.number("major", UInt16.self) },
    .setting(0x04, "minor") { $0.number("minor", UInt16.self) },
    .setting(0x05, "received power") { $0.number("power", Int8.self, "dBm") },
    .setting(0x06, "transmitted power") { $0.number("power", Int8.self, "dBm") },
    .setting(0x07, "period") { $0.number("period", UInt16.self, "ms") },
  ]
}
