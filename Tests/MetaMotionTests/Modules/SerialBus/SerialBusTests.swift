import BoardKit
import Testing

@testable import MetaMotion

struct SerialBusTests {
  private let target = SerialBus.I2CTarget(device: 0x1C, register: 0x0D)

  @Test func `direct reads have an id of their own`() {
    #expect(SerialBus.i2c.read(SerialBus.selector(target, length: 1)) == bytes("0d811c0dff01"))
    var link = SerialBus.SPILink(slaveSelect: 10, clock: 0, output: 11, input: 7)
    link.clockIndex = 6
    let selector = SerialBus.selector(link, length: 5, sending: [0xDA])
    #expect(SerialBus.spi.read(selector) == bytes("0d820a000b0776f4da"))
  }

  @Test func `lengths are one less on the wire`() {
    let link = SerialBus.SPILink(slaveSelect: 0, clock: 0, output: 0, input: 0)
    #expect(SerialBus.selector(link, length: 16).last == 0xFF)
    #expect(SerialBus.selector(link, length: 0).last == 0xFF)
  }

  @Test(arguments: ["0d81ff2a", "0d01ff2a"])
  func `answers come in either form (trap T31)`(hex: String) {
    #expect(SerialBus.data(bytes(hex), id: SerialBus.directI2C) == [0x2A])
    #expect(
      SerialBus.answer(on: SerialBus.i2c, id: 0xFF).prefixes.contains(Array(bytes(hex).prefix(3))))
  }

  @Test func `another ids answer is not taken`() {
    #expect(SerialBus.data(bytes("0d810a2a"), id: 0xFF) == nil)
  }
}
