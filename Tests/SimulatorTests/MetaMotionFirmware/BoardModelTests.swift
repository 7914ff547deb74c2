import Simulator
import Testing

struct BoardModelTests {
  @Test func `Models are found by their keys`() {
    #expect(BoardModel.all.map(\.key) == ["r", "rl", "s"])
    #expect(BoardModel(key: "rl") == .rl)
    #expect(BoardModel(key: "x") == nil)
  }

  /// Protocol reference 3.3, the table for firmware 1.7.
  @Test func `Current RL and S differ in four modules only, apart from extra bytes`() {
    let ids = Set(BoardModel.rl.modules.keys).union(BoardModel.s.modules.keys)
    let different = ids.filter { BoardModel.rl.modules[$0]?.prefix(2) != BoardModel.s.modules[$0]?.prefix(2) }
    #expect(different == [0x03, 0x12, 0x13, 0x14])
  }
}
