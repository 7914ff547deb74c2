import Testing

@testable import Simulator

struct HapticModuleTests {
  @Test func `Motor and buzzer run for their time`() {
    var bench = Bench(.s)
    bench.write("08 01 F8 88 13 00")
    var pulse = bench.firmware.module(HapticModule.self)?.lastPulse
    #expect(pulse == HapticModule.Pulse(duty: 248, isBuzzer: false, end: .seconds(5)))
    bench.write("08 01 7F 4C 1D 01")
    pulse = bench.firmware.module(HapticModule.self)?.lastPulse
    #expect(pulse == HapticModule.Pulse(duty: 127, isBuzzer: true, end: .milliseconds(7500)))
  }

  @Test(arguments: ["08 01 F9 88 13 00", "08 01 F8 88 13", "08 01 F8 88 13 02", "08 02 F8 88 13 00"])
  func `Nonsense moves nothing`(_ packet: String) {
    var bench = Bench(.s)
    bench.write(packet)
    #expect(bench.firmware.module(HapticModule.self)?.lastPulse == nil)
  }
}
