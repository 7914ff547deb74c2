import Simulator
import Testing

/// Each switch changes what it says, and nothing changes without it. Those of single modules are tested with them.
struct FirmwareAssumptionsTests {
  private func bench(_ set: (inout FirmwareAssumptions) -> Void = { _ in }) -> Bench {
    var assumptions = FirmwareAssumptions()
    set(&assumptions)
    return Bench(.s, resetCount: 5, assumptions: assumptions)
  }

  private func reset(_ bench: inout Bench, _ packets: String...) {
    for packet in packets { bench.write(packet) }
    _ = bench.run(for: .seconds(3))
    _ = bench.connect()
  }

  @Test func `An entry's id may come after its parameters`() {
    var early = bench()
    #expect(early.write("0A 02 0C 06 00 04 81 01") == ["0A 02 00"] && early.write("0A 03 01").isEmpty)
    var late = bench { $0.eventIDFollowsParameters = true }
    #expect(late.write("0A 02 0C 06 00 04 81 01").isEmpty && late.write("0A 03 01") == ["0A 02 00"])
  }

  @Test func `A configuration may be padded`() {
    var padded = bench { $0.processorReadBackIsPadded = true }
    padded.write("09 02 03 04 FF A0 07 A5 01")
    #expect(padded.write("09 82 00") == ["09 82 03 04 FF A0 07 A5 01 00 00 00 00 00 00 00 00 00 00 00"])
  }

  @Test func `The clock may run on, the count may stay`() {
    var normal = bench()
    reset(&normal, "FE 05", "FE 06")
    #expect(normal.write("0B 84") == ["0B 84 00 08 00 00 06"])
    var odd = bench {
      $0.clockSurvivesDelayedReset = true
      $0.resetCountStays = true
    }
    _ = odd.advance(by: .seconds(3))
    reset(&odd, "FE 05", "FE 06")
    #expect(odd.write("0B 84") == ["0B 84 00 10 00 00 05"])
  }

  @Test func `Loggers may be lost in a reset`() {
    var forgetful = bench { $0.loggersSurviveReset = false }
    reset(&forgetful, "0B 02 01 01 FF 00", "FE 01")
    #expect(forgetful.write("0B 82 00") == ["0B 82"])
  }

  @Test(arguments: [false, true])
  func `A cold magnetometer streams zeros until it has slept`(_ sleeps: Bool) {
    var cold = bench { $0.magnetometerStartsCold = true }
    if sleeps { cold.write("15 01 00") }
    cold.write("15 05 01", "15 02 01 00", "15 01 01")
    let samples = cold.advance(by: .seconds(1))
    #expect(samples.count == 10 && samples.allSatisfy { ($0 == "15 05 00 00 00 00 00 00") != sleeps })
  }

  @Test func `The BMI160 shows the power of three sensors in one byte`() {
    var bench = Bench(.rl)
    bench.write("03 01 01", "13 01 01", "15 01 01")
    #expect(bench.write("03 96", "13 86") == ["03 96 15", "13 86 15"])
    reset(&bench, "FE 01")
    #expect(bench.write("03 96") == ["03 96 00"])
  }
}
