import Testing

@testable import Simulator

struct BatteryTests {
  @Test func `The battery falls in use, rises on external power, and keeps to its ends`() {
    var battery = Battery(seed: 1, at: .zero)
    battery.set(percent: 99, at: .zero)
    #expect(battery.percent(at: .zero) == 99 && battery.millivolts(at: .zero) == 4148)
    #expect(battery.percent(at: .seconds(18_000)) == 49)
    #expect(battery.percent(at: .seconds(1_000_000)) == 1)
    #expect(battery.chargeEnds(after: .zero) == nil)
    battery.setExternalPower(true, at: .seconds(18_000))
    #expect(battery.isCharging(at: .seconds(18_000)))
    #expect(battery.percent(at: .seconds(18_000 + 7200)) == 100)
    #expect(!battery.isCharging(at: .seconds(18_000 + 7200)))
    battery.set(percent: .nan, at: .seconds(30_000))
    #expect(battery.percent(at: .seconds(30_000)) == 100)
  }
}
