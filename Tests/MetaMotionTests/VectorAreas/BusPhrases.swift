import BoardKit
import FleetModel

@testable import MetaMotion

/// Driven pins, I²C and SPI.
struct BusPhrases: VectorArea {
  init(on board: Inventory) {}

  mutating func perform(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    if let match = phrase.wholeMatch(of: #/set digital output pin (\d+)/#) {
      return stage.write(Pin(number: UInt8(match.1) ?? 0).drive(high: true))
    }
    return try performSerial(phrase, on: &stage)
  }

  private func performSerial(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    if phrase.hasPrefix("read I2C read data") {
      let target = SerialBus.I2CTarget(device: 28, register: 13)
      return stage.write(SerialBus.i2c.silentRead(SerialBus.selector(target, length: 1, id: 10)))
    }
    if let match = phrase.wholeMatch(of: #/I2C write device 0x(..) register 0x(..) (?:data (.+)|no data)/#) {
      let target = SerialBus.I2CTarget(
        device: UInt8(match.1, radix: 16) ?? 0, register: UInt8(match.2, radix: 16) ?? 0)
      return stage.write(SerialBus.write(bytes(String(match.3 ?? "")), to: target))
    }
    var link = SerialBus.SPILink(slaveSelect: 10, clock: 0, output: 11, input: 7)
    link.clockIndex = 6
    if phrase.hasPrefix("SPI route read id 0xE length 5") {
      let selector = SerialBus.selector(link, length: 5, id: 0xE, sending: [0xDA])
      return stage.write(SerialBus.spi.silentRead(selector))
    }
    if phrase.hasPrefix("SPI write SS 10 SCK 11 MOSI 12 MISO 13, LSB first") {
      (link.clock, link.output, link.input, link.isLeastSignificantFirst) = (11, 12, 13, true)
      return stage.write(SerialBus.write([0], over: link))
    }
    return false
  }
}
