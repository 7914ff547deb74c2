import Testing

@testable import MetaMotion

/// The sensors whose whole codec is a flag or two numbers: switch, battery, power supply, barometer.
struct SensorStateTests {
  @Test func `the switch is a flag`() {
    #expect(Switch.state.read() == bytes("0181"))
    #expect(Switch.pressed.values(in: bytes("018101")) == [1])
    #expect(Switch.pressed.values(in: bytes("018100")) == [0])
    #expect(Switch.pressed.values(in: bytes("0181")) == nil)
  }

  @Test func `T35 the battery is read loudly`() {
    #expect(Battery.state.register.read() == bytes("118c"))
    #expect(Battery(bytes("118c633410")) == Battery(percent: 99, millivolts: 4_148))
    #expect(Battery(bytes("118c6334")) == nil)
    #expect(Battery(bytes("118c")) == nil)
  }

  @Test(
    arguments: [
      ("1180000a0700", true, true), ("118000050100", true, false), ("118000050200", false, true),
      ("118000040700", false, false), ("11800005", false, false), ("1180", false, false),
    ])
  func `power states go by the capability bits`(hex: String, power: Bool, charge: Bool) {
    let settings = ModuleInfo.decode(bytes(hex))
    #expect(PowerSupply.hasPowerStatus(settings) == power)
    #expect(PowerSupply.hasChargeStatus(settings) == charge)
  }

  @Test func `the barometer runs on request`() {
    #expect(Barometer.start == bytes("12040101"))
    #expect(Barometer.stop == bytes("12040000"))
    #expect(Barometer.isSampling(bytes("12840101")) == true)
    #expect(Barometer.isSampling(bytes("12840000")) == false)
    #expect(Barometer.isSampling(bytes("1284")) == nil)
  }
}
