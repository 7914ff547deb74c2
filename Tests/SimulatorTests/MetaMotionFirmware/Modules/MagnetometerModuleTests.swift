import Simulator
import Testing

struct MagnetometerModuleTests {
  @Test(arguments: zip(0...7 as ClosedRange<UInt8>, [10, 2, 6, 8, 15, 20, 25, 30]))
  func `Every rate is kept`(_ code: UInt8, _ rate: Int) {
    var bench = Bench(.s)
    _ = bench.write(bytes: [0x15, 0x03, code])
    bench.write("15 05 01", "15 02 01 00", "15 01 01")
    #expect(bench.advance(by: .seconds(10) + .milliseconds(1)).count == 10 * rate)
  }

  @Test func `A board at rest sees the earth's field, better with more repetitions`() {
    func spread(_ repetitions: String) -> Double {
      var bench = Bench(.rl)
      bench.write("15 01 00", repetitions, "15 03 05", "15 05 01", "15 02 01 00", "15 01 01")
      let z = bench.run(for: .seconds(20)).packets.map { Double($0.int16s()[2]) / 16 }
      let mean = z.reduce(0, +) / Double(z.count)
      #expect(abs(mean - Motion.earthField.z) < 0.5)
      return z.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(z.count)
    }
    #expect(spread("15 04 17 52") < spread("15 04 01 02") / 4)
  }

  @Test func `Suspend clears the settings, sleep keeps them`() {
    var bench = Bench(.s)
    bench.write("15 04 04 0E", "15 03 06", "15 01 00")
    #expect(bench.write("15 84", "15 83") == ["15 84 04 0E", "15 83 06"])
    bench.write("15 01 02")
    #expect(bench.write("15 81", "15 84", "15 83") == ["15 81 02", "15 84 00 00", "15 83 00"])
  }

  @Test func `Suspend and packed data came with later revisions`() {
    var bench = Bench(.r)
    bench.write("15 01 02")
    #expect(bench.write("15 81") == ["15 81 00"])
    bench.write("15 09 01", "15 02 01 00", "15 01 01")
    let packets = bench.advance(by: .seconds(3))
    #expect(packets.count == 10 && packets.allSatisfy { $0.hasPrefix("15 09 ") })
  }

  @Test func `An alarm tells which axes have left their bounds`() {
    var bench = Bench(.s)
    // Low z: below -4 x 6 uT, as the field's -44 uT are; high y: above 2 x 6 uT, as its 20 uT are.
    bench.write("15 06 14 00", "15 07 FC 02", "15 08 01", "15 02 01 00", "15 01 01")
    #expect(bench.write("15 86", "15 87") == ["15 86 14", "15 87 FC 02"])
    #expect(bench.advance(by: .seconds(2)) == ["15 08 14"])
  }
}
