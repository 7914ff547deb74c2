import Simulator
import Testing

struct SwitchModuleTests {
  @Test func `The button is read, and notified on change to whoever subscribed`() {
    var bench = Bench(.rl)
    #expect(bench.firmware.setSwitch(pressed: true, at: bench.now).isEmpty)
    #expect(bench.write("01 81") == ["01 81 01"])
    bench.write("01 01 01")
    #expect(bench.firmware.setSwitch(pressed: true, at: bench.now).isEmpty)
    #expect(bench.firmware.setSwitch(pressed: false, at: bench.now).notifications == ["01 01 00"])
    bench.write("01 01 00")
    #expect(bench.firmware.setSwitch(pressed: true, at: bench.now).isEmpty)
  }
}
