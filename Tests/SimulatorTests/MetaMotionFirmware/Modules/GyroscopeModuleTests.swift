import Simulator
import Testing

struct GyroscopeModuleTests {
  @Test(arguments: [(BoardModel.rl, "13 05", "13 07"), (.s, "13 04", "13 05")])
  func `Data and packed registers differ by chip`(_ model: BoardModel, _ data: String, _ packed: String) {
    var bench = Bench(model)
    bench.write(data + " 01", packed + " 01", "13 02 01 00", "13 01 01")
    let notified = bench.advance(by: .seconds(1))
    #expect(notified.filter { $0.hasPrefix(data) }.count == 100)
    let packets = notified.filter { $0.hasPrefix(packed) }
    #expect(packets.count == 33 && packets.allSatisfy { [UInt8](hex: $0).count == 20 })
  }

  @Test(arguments: zip([6, 7, 8, 9, 10, 11, 12, 13] as [UInt8], [25, 50, 100, 200, 400, 800, 1600, 3200]))
  func `Every rate is exact`(_ code: UInt8, _ rate: Int) {
    var bench = Bench(.s)
    _ = bench.write(bytes: [0x13, 0x03, 0x20 | code, 0x00])
    bench.write("13 04 01", "13 02 01 00", "13 01 01")
    #expect(bench.advance(by: .seconds(1)).count == rate)
  }

  @Test(arguments: [5, 14] as [UInt8])
  func `Codes that the chip does not have give no data`(_ code: UInt8) {
    var bench = Bench(.s)
    _ = bench.write(bytes: [0x13, 0x03, 0x20 | code, 0x00])
    bench.write("13 04 01", "13 02 01 00", "13 01 01")
    #expect(bench.advance(by: .seconds(1)).isEmpty)
  }

  @Test(arguments: zip([0, 1, 2, 3, 4] as [UInt8], [16.4, 32.8, 65.6, 131.2, 262.4]))
  func `A turn adds up to its angle in every range`(_ range: UInt8, _ scale: Double) {
    var bench = Bench(.s)
    // 90 degrees in half a second: 180 degrees per second about x, more than the two smallest ranges hold.
    _ = bench.write(bytes: [0x13, 0x03, 0x29, range])
    bench.write("13 04 01", "13 02 01 00", "13 01 01")
    _ = bench.firmware.happen(.turn(.landscapeLeft), at: bench.now)
    let packets = bench.run(for: .seconds(1)).packets
    let angle = packets.map { Double($0.int16s()[0]) / scale / 200 }.reduce(0, +)
    #expect(abs(angle - (range == 4 ? 62.5 : 90)) < 1.5)
  }

  @Test func `The mask, the configuration and the BMI270's offsets read back`() {
    var bench = Bench(.s)
    bench.write("13 02 01 00", "13 03 29 02", "13 06 11 22 33 44")
    #expect(
      bench.write("13 82", "13 83", "13 86") == ["13 82 01", "13 83 29 02", "13 86 11 22 33 44"])
  }

  @Test(arguments: [false, true])
  func `Three offset bytes switch the compensation on, or do not`(_ isOn: Bool) {
    var assumptions = FirmwareAssumptions()
    assumptions.shortGyroscopeOffsetsCompensate = isOn
    var bench = Bench(.s, assumptions: assumptions)
    bench.write("13 06 7F 00 00", "13 03 28 04", "13 04 01", "13 02 01 00", "13 01 01")
    #expect(bench.write("13 86") == ["13 86 7F 00 00 \(isOn ? "40" : "00")"])
    let packets = bench.run(for: .seconds(1)).packets
    let mean = packets.map { Double($0.int16s()[0]) / 262.4 }.reduce(0, +) / Double(packets.count)
    // 127 times 61 mdps, and at most half a degree per second of its own.
    #expect(isOn ? abs(mean - 7.75) < 0.6 : abs(mean) < 0.6)
  }

  @Test func `The BMI160 keeps its wake-up trigger and tells its power`() {
    var bench = Bench(.rl)
    bench.write("13 04 05", "13 01 03")
    #expect(bench.write("13 84", "13 86", "13 81") == ["13 84 05", "13 86 0C", "13 81 03"])
  }
}
