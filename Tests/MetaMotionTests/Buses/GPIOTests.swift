import Testing

@testable import MetaMotion

struct GPIOTests {
  @Test func readsOfVoltagesSayHowSinceRevisionTwo() {
    #expect(GPIO.selector(2, revision: 1) == [2])
    #expect(GPIO.selector(2, revision: 2) == bytes("02ffff00ff"))
    let measurement = GPIO.Measurement(pullUpPin: 1, pullDownPin: 2, virtualPin: 21, delayMicroseconds: 10)
    #expect(GPIO.selector(2, measurement, revision: 2) == bytes("0201020215"))
    let slow = GPIO.Measurement(delayMicroseconds: 65_535)
    #expect(GPIO.selector(2, slow, revision: 2)[3] == 255)
  }

  @Test func outputsAndPulls() {
    #expect(GPIO.set(1, high: true) == bytes("050101"))
    #expect(GPIO.set(1, high: false) == bytes("050201"))
    #expect(GPIO.pull(4, .none) == bytes("050504"))
  }

  @Test("boards may repeat the pin or not", arguments: [("05890102", 1), ("058902", 1), ("05890702", 7)])
  func changeTypes(hex: String, pin: UInt8) { #expect(GPIO.change(bytes(hex), of: pin) == .falling) }

  @Test func anotherPinsChangeTypeIsNotTaken() {
    #expect(GPIO.change(bytes("05890702"), of: 1) == nil)
    #expect(GPIO.change(bytes("058909"), of: 1) == nil)
  }

  @Test func answersCarryTheirPin() throws {
    let analog = try #require(GPIO.analog(bytes("0586 01 c209")))
    #expect(analog == (1, 2_498))
    #expect(GPIO.analog(bytes("058601c2")) == nil)
    let level = try #require(GPIO.level(bytes("050a0001")))
    #expect(level == (0, true))
  }
}
