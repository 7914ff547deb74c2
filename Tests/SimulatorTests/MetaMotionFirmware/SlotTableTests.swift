import Testing

@testable import Simulator

struct SlotTableTests {
  @Test func `The lowest free slot is taken until none is left`() {
    var table = SlotTable<String>(count: 2)
    #expect(table.insert("a") == 0 && table.insert("b") == 1 && table.insert("c") == nil)
    table[0] = nil
    #expect(table.insert("c") == 0)
    #expect(Array(table).map(\.slot) == [0, 1] && table[1] == "b")
  }

  @Test func `Slots that do not exist hold nothing`() {
    var table = SlotTable<String>(count: 1)
    table[7] = "x"
    #expect(table[7] == nil && table[0] == nil)
    #expect(table.update(0) { $0 += "y" } == nil)
    var none = SlotTable<String>(count: -1)
    #expect(none.insert("a") == nil)
  }

  @Test func `Contents change in place`() {
    var table = SlotTable<String>(count: 1)
    _ = table.insert("a")
    #expect(
      table.update(0) {
        $0 += "b"; return $0.count
      } == 2)
    #expect(table[0] == "ab")
  }
}
