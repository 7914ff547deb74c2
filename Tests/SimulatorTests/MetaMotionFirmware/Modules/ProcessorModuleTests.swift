import Simulator
import Testing

struct ProcessorModuleTests {
  /// Acceleration, its magnitude and its average, at 100 Hz.
  private static let chain = ["09 02 03 04 FF A0 07 A5 01", "09 02 09 03 00 20 03 05 04 00"]
  private static let start = ["03 02 01 00", "03 01 01"]

  @Test func `A chain computes, and both switches are needed to hear of it`() {
    var bench = Bench(.s)
    #expect(Self.chain.flatMap { bench.write($0) } == ["09 02 00", "09 02 01"])
    for packet in Self.start { bench.write(packet) }
    bench.write("09 07 01 01")
    #expect(bench.advance(by: .seconds(1)).isEmpty)
    bench.write("09 03 01")
    let packets = bench.run(for: .seconds(1)).packets
    #expect(packets.count == 100 && packets.allSatisfy { $0[..<3] == [9, 3, 1] })
    #expect(packets.allSatisfy { abs(Double($0.int16s(from: 3)[0]) / 4096 - 1) < 0.05 })
    bench.write("09 07 01 00")
    #expect(bench.advance(by: .seconds(1)).isEmpty)
  }

  @Test func `It computes without a link`() {
    var bench = Bench(.s)
    bench.write("09 02 03 04 FF A0 02 1F")
    for packet in Self.start { bench.write(packet) }
    _ = bench.disconnect()
    _ = bench.run(for: .seconds(2))
    _ = bench.connect()
    #expect(bench.write("09 84 00") == ["09 84 00 C8 00 00 00"])
  }

  @Test func `Free fall is found by five processors`() {
    var bench = Bench(.s)
    bench.write("03 03 A8 03", "09 02 03 04 FF A0 07 A5 01", "09 02 09 03 00 20 03 05 04 00")
    bench.write(
      "09 02 09 03 01 20 0D 09 00 04 00 00 00 00", "09 02 09 03 02 00 06 01 FF", "09 02 09 03 02 00 06 01 01")
    bench.write("09 03 01", "09 07 03 01", "09 07 04 01")
    for packet in Self.start { bench.write(packet) }
    #expect(bench.advance(by: .seconds(2)).isEmpty)
    _ = bench.firmware.happen(.fall(.milliseconds(400)), at: bench.now)
    #expect(bench.advance(by: .seconds(2)) == ["09 03 03 FF", "09 03 04 01"])
  }

  @Test func `A processor on a read is driven by loud reads, on current firmware`() {
    var bench = Bench(.s)
    bench.write("09 02 04 81 00 20 02 1F", "09 02 04 C1 00 20 02 1F", "04 81 00", "04 C1 00", "04 81 01")
    #expect(bench.write("09 84 00", "09 84 01") == ["09 84 00 01 00 00 00", "09 84 01 00 00 00 00"])
    var old = Bench(.r)
    old.write("09 02 04 81 00 20 02 1F", "09 02 04 C1 00 20 02 1F", "04 81 00", "04 C1 00")
    #expect(old.write("09 84 00", "09 84 01") == ["09 84 00 02 00 00 00", "09 84 01 02 00 00 00"])
  }

  @Test func `Created, modified, read back, removed leaves first`() {
    var bench = Bench(.s)
    for packet in Self.chain { bench.write(packet) }
    bench.write("09 05 01 03 05 10 00")
    #expect(
      bench.write("09 82 00", "09 82 01", "09 82 02") == [
        "09 82 03 04 FF A0 07 A5 01", "09 82 09 03 00 20 03 05 10 00", "09 82",
      ])
    bench.write("09 06 00")
    #expect(bench.write("09 82 00").first != "09 82")
    bench.write("09 06 01", "09 06 00")
    #expect(bench.write("09 82 00", "09 82 01") == ["09 82", "09 82"])
  }

  @Test func `There are twenty-eight, and all are removed at once`() {
    var bench = Bench(.s)
    for _ in 0..<28 { #expect(bench.write("09 02 01 01 FF 00 02 10").count == 1) }
    #expect(bench.write("09 02 01 01 FF 00 02 10").isEmpty)
    bench.write("09 08")
    #expect(bench.write("09 82 1B", "09 02 01 01 FF 00 02 10") == ["09 82", "09 02 00"])
  }

  @Test(arguments: [false, true])
  func `A fuser repeats what slower inputs had, or waits for them`(_ waits: Bool) {
    var assumptions = FirmwareAssumptions()
    assumptions.fuserWaitsForAll = waits
    var bench = Bench(.s, assumptions: assumptions)
    // Gyroscope at 25 Hz in a buffer, acceleration at 100 Hz.
    bench.write("13 03 26 00", "09 02 13 04 FF A0 0F 05")
    bench.write("09 02 03 04 FF A0 1B 01 00 00 00 00 00 00 00 00 00 00 00 00", "09 03 01", "09 07 01 01")
    bench.write("13 02 01 00", "13 01 01", "03 02 01 00", "03 01 01")
    // The rotation of an instant comes after its acceleration, the second's last one too late.
    let packets = bench.run(for: .seconds(1)).packets
    #expect(packets.count == (waits ? 24 : 100))
    #expect(packets.allSatisfy { $0.count == 15 })
  }

  @Test func `Everything fits a notification`() {
    var bench = Bench(.s)
    bench.write("09 02 19 07 FF E0 11 31 03", "09 03 01", "09 07 00 01", "19 02 01 13")
    for packet in SensorFusionModuleTests.everything { bench.write(packet) }
    bench.write("19 03 08 00", "19 01 01")
    let packets = bench.run(for: .milliseconds(100)).packets
    #expect(packets.count == 10 && packets.allSatisfy { $0.count == 20 })
  }

  @Test func `Switched off, nothing is processed`() {
    var bench = Bench(.s)
    bench.write("09 02 01 01 FF 00 02 10", "09 01 00")
    _ = bench.firmware.setSwitch(pressed: true, at: bench.now)
    #expect(bench.write("09 81", "09 84 00") == ["09 81 00", "09 84 00 00 00 00 00"])
  }

  @Test func `A processor that listens to itself does not stop the board`() {
    var bench = Bench(.s)
    bench.write("09 02 09 03 00 00 01 00 00 00", "09 03 01")
    bench.write("FE 03 09 03 00 00 01")
    #expect(bench.write("01 81") == ["01 81 00"])
  }

  @Test func `A pin's value is told once, whenever it changes: a graph that sets itself`() {
    // The vendor's feedback chain in short: subtract the last value, pass what is not zero, and subtract that next.
    var bench = Bench(.r)
    bench.write("09 02 05 C6 00 20 09 07 09 00 00 00 00 00", "09 02 09 03 00 60 06 01 01 00 00 00 00 00")
    bench.write(
      "0A 02 05 C6 00 09 05 09 05 04", "0A 03 00 09 07 09 00 00 00 00 00", "09 03 01", "09 07 01 01")
    #expect(bench.write("09 82 01") == ["09 82 09 03 00 60 06 01 01 00 00 00 00 00"])
    _ = bench.firmware.setVoltage(1000, pin: 0, at: bench.now)
    #expect(bench.write("05 C6 00") == ["09 03 01 E8 03 00 00"])
    #expect(bench.write("05 C6 00").isEmpty)
    _ = bench.firmware.setVoltage(900, pin: 0, at: bench.now)
    #expect(bench.write("05 C6 00") == ["09 03 01 9C FF FF FF"])
  }

  @Test(arguments: VectorFile.cases("data-processor"))
  func `Vectors get their ids, and read back as created`(_ vector: VectorFile.Case) {
    var bench = Bench(vector.boardModel)
    var ids = 0
    for packet in vector.writes.map({ [UInt8](hex: $0) }) where packet[..<2] != [0x09, 0x06] {
      let answers = bench.write(bytes: packet).packets
      guard packet[..<2] == [0x09, 0x02] else { continue }
      #expect(answers == [[0x09, 0x02, UInt8(ids)]])
      #expect(bench.write(bytes: [0x09, 0x82, UInt8(ids)]).packets == [[0x09, 0x82] + packet[2...]])
      ids += 1
    }
  }
}
