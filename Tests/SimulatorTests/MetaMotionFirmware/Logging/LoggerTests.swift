import Testing

@testable import Simulator

struct LoggerTests {
  @Test func `A vector takes two loggers, each sample two entries`() {
    var bench = Bench(.s)
    #expect(bench.write("0B 02 03 04 FF 60", "0B 02 03 04 FF 24") == ["0B 02 00", "0B 02 01"])
    bench.write("0B 01 01", "03 02 01 00", "03 01 01")
    _ = bench.disconnect()
    _ = bench.run(for: .seconds(1))
    _ = bench.connect()
    #expect(bench.write("0B 01 00", "0B 10 01", "0B 85") == ["0B 85 C8 00 00 00"])
    #expect(
      bench.write("0B 82 00", "0B 82 01", "0B 82 02") == ["0B 82 03 04 FF 60", "0B 82 03 04 FF 24", "0B 82"])
  }

  @Test func `Loggers hear silent reads, and entries outlive a reset`() {
    var bench = Bench(.s)
    bench.write("0B 02 04 C1 00 20", "0B 01 01", "04 C1 00", "04 81 00", "04 C1 01")
    #expect(bench.write("0B 10 01", "0B 85") == ["0B 85 01 00 00 00"])
    bench.write("FE 01")
    _ = bench.run(for: .seconds(3))
    _ = bench.connect()
    #expect(
      bench.write("0B 85", "0B 82 00", "0B 81") == ["0B 85 01 00 00 00", "0B 82 04 C1 00 20", "0B 81 00"])
  }

  @Test func `Clearing needs a stopped log, removing loggers keeps the entries`() {
    var bench = Bench(.s)
    bench.write("0B 02 01 01 FF 00", "0B 01 01", "0B 0B 01")
    _ = bench.firmware.setSwitch(pressed: true, at: bench.now)
    bench.write("0B 0A", "0B 09 FF FF FF FF")
    #expect(
      bench.write("0B 10 01", "0B 85", "0B 8B", "0B 82 00") == ["0B 85 01 00 00 00", "0B 8B 01", "0B 82"])
    #expect(bench.write("0B 01 00", "0B 09 FF FF FF FF", "0B 85") == ["0B 85 00 00 00 00"])
  }

  @Test func `There are eight, of up to four bytes each`() {
    var bench = Bench(.s)
    #expect(bench.write("0B 02 19 07 FF 80").isEmpty)
    for id in 0..<8 { #expect(bench.write("0B 02 19 07 FF 60") == ["0B 02 0\(id)"]) }
    #expect(bench.write("0B 02 19 07 FF 60").isEmpty)
    bench.write("0B 03 02")
    #expect(bench.write("0B 02 19 07 FF 60") == ["0B 02 02"])
  }
}
