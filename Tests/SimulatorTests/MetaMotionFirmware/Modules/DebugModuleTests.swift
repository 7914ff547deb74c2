import Simulator
import Testing

struct DebugModuleTests {
  @Test func `The key lives until a reset`() {
    var bench = Bench(.s)
    #expect(bench.write("FE 84", "FE 04 EF BE AD DE", "FE 84") == ["FE 84 00 00 00 00", "FE 84 EF BE AD DE"])
    bench.write("FE 01")
    _ = bench.run(for: .seconds(3))
    _ = bench.connect()
    #expect(bench.write("FE 84") == ["FE 84 00 00 00 00"])
  }

  @Test func `A spoofed press reaches the host if it listens`() {
    var bench = Bench(.s)
    #expect(bench.write("FE 03 01 01 00 07").isEmpty)
    #expect(bench.write("01 01 01", "FE 03 01 01 00 07") == ["01 01 07"])
  }

  @Test func `Free stack and the assertion's state are told`() {
    var bench = Bench(.s)
    #expect(bench.write("FE 89", "FE 09 01", "FE 89") == ["FE 89 00 94 0C", "FE 89 01 94 0C"])
  }

  @Test func `Reset cause and flash health are answered by revision 6, flash health by NAND only`() {
    var s = Bench(.s)
    #expect(
      s.write("FE 8B", "FE 93") == ["FE 8B 00 00 00 00", "FE 93" + String(repeating: " 00", count: 14)])
    var rl = Bench(.rl)
    #expect(rl.write("FE 8B", "FE 93") == ["FE 8B 00 00 00 00"])
    var r = Bench(.r)
    #expect(r.write("FE 8B", "FE 93").isEmpty)
  }
}
