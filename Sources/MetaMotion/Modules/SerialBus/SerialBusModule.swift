import BoardKit
import FleetModel

extension SerialBus: SensorModule {
  /// What devices on the buses answer, byte by byte. What of it is a stream, and which number the bytes make, only its
  /// configuration tells: `BusRegister`.
  static func signals(on chip: Accelerometer.Chip?) -> [SensorSignal] { [i2c, spi].map(signal) }

  static func signal(in register: Register) -> SensorSignal {
    let name = register == spi ? "spi" : "i2c"
    return SensorSignal(
      name: name, title: name, register: register, access: .read,
      index: .init(of: { _, _ in nil }, layout: { $0.number("id", UInt8.self) }),
      values: .init(number: .uint8, labels: ["byte"]))
  }

  static var sources: [any StreamSource.Type] { [BusSource.self] }

  static func settings(on board: Inventory) -> SensorSettings? { nil }

  static func meanings(_ context: PacketContext) -> [RegisterMeaning] { meanings }

  private static let meanings: [RegisterMeaning] = [
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
      }, answer: reply, notification: reply),
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
      }, answer: reply, notification: reply),
  ]

  private static let reply: RegisterMeaning.Layout = { reader in
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
}
