import Simulator
import Testing

struct BoardModelTests {
  @Test func `Models are found by their keys`() {
    #expect(BoardModel.all.map(\.key) == ["r", "rl", "s"])
    #expect(BoardModel(key: "rl") == .rl)
    #expect(BoardModel(key: "x") == nil)
    #expect(BoardModel.offered.map(\.key) == ["r", "rl", "s", "rh"])
  }

  @Test func `One with humidity is an R but for its barometer`() {
    var bench = Bench(.rh)
    let value = bench.write(bytes: [0x16, 0x81]).packets.first?.uint32() ?? 0
    #expect((20...80).contains(Double(value) / 1024))
    #expect(bench.write("12 80", "16 80") == ["12 80 01 00", "16 80 00 00"])
    #expect(
      BoardModel.rh.modules.filter { BoardModel.r.modules[$0.key] != $0.value }.keys.sorted() == [0x12, 0x16])
  }

  /// Protocol reference 3.3, the table for firmware 1.7.
  @Test func `Current RL and S differ in four modules only, apart from extra bytes`() {
    let ids = Set(BoardModel.rl.modules.keys).union(BoardModel.s.modules.keys)
    let different = ids.filter { BoardModel.rl.modules[$0]?.prefix(2) != BoardModel.s.modules[$0]?.prefix(2) }
    #expect(different == [0x03, 0x12, 0x13, 0x14])
  }
}
