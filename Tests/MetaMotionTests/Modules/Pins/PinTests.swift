import Testing

@testable import MetaMotion

struct PinTests {
  @Test func `levels`() {
    #expect(Pin(number: 1).drive(high: true) == bytes("050101"))
    #expect(Pin(number: 1).drive(high: false) == bytes("050201"))
  }

  @Test(arguments: [("05890102", 1), ("058902", 1), ("05890702", 7)])
  func `boards may repeat the pin or not`(hex: String, pin: UInt8) {
    #expect(Pin(number: pin).counted(bytes(hex)) == .falling)
  }

  @Test func `another pins edges are not taken`() {
    #expect(Pin(number: 1).counted(bytes("05890702")) == nil)
    #expect(Pin(number: 1).counted(bytes("058909")) == nil)
    #expect(Pin(number: 1).counted(bytes("0589")) == nil)
  }
}
