import Testing

@testable import Simulator

struct PinTests {
  @Test func `Output wins over what is connected, that over the pull`() {
    var pin = Pin(capabilities: 3, supply: 1800)
    #expect(pin.voltage == 0 && !pin.level)
    pin.set(pull: .up)
    #expect(pin.voltage == 1800 && pin.level)
    pin.external = 500
    #expect(pin.voltage == 500 && !pin.level)
    pin.output = true
    #expect(pin.voltage == 1800)
    pin.set(pull: .down)
    #expect(pin.output == nil && pin.voltage == 500)
  }

  @Test func `High begins at seven tenths of the supply`() {
    var pin = Pin(capabilities: 3, supply: 3000)
    pin.external = 2100
    #expect(pin.level)
    pin.external = 2099
    #expect(!pin.level)
  }
}
