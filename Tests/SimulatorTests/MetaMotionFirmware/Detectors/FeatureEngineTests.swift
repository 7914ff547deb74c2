import Simulator
import Testing

struct FeatureEngineTests {
  @Test func `A BMI160 tells motion along its axis`() {
    var bench = Bench(.rl)
    bench.write("03 0A 01 2F 14 14", "03 09 07 00", "03 0B 01", "03 01 01")
    #expect(bench.advance(by: .seconds(2)).isEmpty)
    _ = bench.firmware.happen(.tap, at: bench.now)
    #expect(bench.advance(by: .seconds(2)).first == "03 0B 62")
    bench.write("03 09 00 7F")
    _ = bench.firmware.happen(.tap, at: bench.now)
    #expect(bench.advance(by: .seconds(2)).isEmpty)
  }

  @Test func `A BMI160 tells that nothing moves, after 10.24 s`() {
    var bench = Bench(.rl)
    bench.write("03 0A 1C 14 7F 15", "03 09 38 00", "03 0B 01", "03 01 01")
    #expect(bench.advance(by: .seconds(10)).isEmpty)
    #expect(bench.advance(by: .seconds(100)) == ["03 0B 04"])
  }

  @Test func `A BMI160 tells taps, falls, high g, orientation and flatness`() {
    var bench = Bench(.rl)
    bench.write(
      "03 03 28 0C", "03 0D 04 04", "03 0C 02 00", "03 0E 01", "03 07 07 40 85 0B 28", "03 06 0F 00",
      "03 08 01")
    bench.write("03 0F 01 00", "03 11 01", "03 12 01 00", "03 14 01", "03 01 01")
    #expect(bench.advance(by: .seconds(3)) == ["03 14 05"])
    _ = bench.firmware.happen(.tap, at: bench.now)
    #expect(bench.advance(by: .seconds(3)).contains("03 0E 32"))
    _ = bench.firmware.happen(.fall(.milliseconds(300)), at: bench.now)
    #expect(bench.advance(by: .seconds(3)).contains("03 08 02"))
    _ = bench.firmware.happen(.turn(.landscapeLeft), at: bench.now)
    let told = bench.advance(by: .seconds(3))
    #expect(told.contains("03 11 05") && told.contains("03 14 01"))
  }

  @Test func `A BMI160 counts steps and tells each`() {
    var bench = Bench(.rl)
    bench.write("03 18 2D 08", "03 17 01 00", "03 19 01", "03 01 01")
    _ = bench.firmware.happen(.walk(steps: 43, interval: .milliseconds(500)), at: bench.now)
    #expect(bench.advance(by: .seconds(30)) == Array(repeating: "03 19 01", count: 43))
    #expect(bench.write("03 9A", "03 1B", "03 9A") == ["03 9A 2B 00", "03 9A 00 00"])
  }

  @Test func `A BMI270 tells only what is both enabled and told`() {
    var bench = Bench(.s)
    bench.write("03 09 01", "03 01 01", "03 06 40 00")
    _ = bench.firmware.happen(.walk(steps: 10, interval: .milliseconds(500)), at: bench.now)
    #expect(bench.advance(by: .seconds(6)).isEmpty)
    bench.write("03 08 01 01 E0 32 38", "03 07 40 00")
    _ = bench.firmware.happen(.tap, at: bench.now)
    #expect(bench.advance(by: .seconds(6)).contains("03 09 04"))
  }

  @Test func `A BMI270 tells the count at each watermark, reads it, and resets it by a bit`() {
    var bench = Bench(.s)
    bench.write("03 08 07 00 0E 01 00", "03 07 02 00", "03 06 02 00", "03 0B 01", "03 01 01")
    _ = bench.firmware.happen(.walk(steps: 45, interval: .milliseconds(500)), at: bench.now)
    #expect(bench.advance(by: .seconds(30)) == ["03 0B 14 00", "03 0B 28 00"])
    #expect(bench.write("03 8B") == ["03 8B 2D 00"])
    bench.write("03 08 07 00 0E 01 04")
    #expect(bench.write("03 8B", "03 88 07") == ["03 8B 00 00", "03 88 07 00 0E 01 00"])
  }

  @Test func `A BMI270 tells activity, gestures and a raised wrist`() {
    var bench = Bench(.s)
    bench.write("03 07 1C 00", "03 06 1C 00", "03 0C 01", "03 0A 01", "03 01 01")
    _ = bench.firmware.happen(.walk(steps: 40, interval: .milliseconds(330)), at: bench.now)
    #expect(bench.advance(by: .seconds(20)) == ["03 0C 04", "03 0C 00"])
    #expect(bench.firmware.happen(.gesture(code: 5), at: bench.now).notifications == ["03 0A 16"])
    #expect(bench.firmware.happen(.raiseWrist, at: bench.now).notifications == ["03 0A 01"])
    bench.write("03 06 00 18")
    #expect(bench.firmware.happen(.raiseWrist, at: bench.now).isEmpty)
  }

  @Test func `A detector feeds events as well`() {
    var bench = Bench(.rl)
    bench.write("0A 02 03 0E FF 01 81 00", "03 0C 02 00", "03 01 01")
    _ = bench.firmware.happen(.tap, at: bench.now)
    #expect(bench.advance(by: .milliseconds(100)) == ["01 81 00"])
  }

  @Test(arguments: [(BoardModel.rl, "03 15 40 00 00 00 00 00 40"), (.s, "03 10 08 40 00 00")])
  func `Offsets are added to every sample`(_ model: BoardModel, _ packet: String) {
    func mean(_ packets: [String]) -> Double {
      var bench = Bench(model)
      for packet in packets { bench.write(packet) }
      bench.write(model == .s ? "03 03 A8 00" : "03 03 28 03", "03 04 01", "03 02 01 00", "03 01 01")
      let samples = bench.run(for: .seconds(1)).packets
      return samples.map { Double($0.int16s()[0]) / 16384 }.reduce(0, +) / Double(samples.count)
    }
    #expect(abs(mean([packet]) - mean([]) - 64 * 0.0039) < 0.001)
  }
}
