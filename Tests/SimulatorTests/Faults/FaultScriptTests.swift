import FleetModel
import Testing

@testable import Simulator

struct FaultScriptTests {
  private let boards = (1...3).map { BoardIdentity(number: $0).address }

  @Test func `Times are of the start or of the line before`() {
    let script = FaultScript(
      """
      # A bad morning.
      at 10s drop 1
      after 5s drop 2

      drop 3
      at 2s reset all
      after 1s reset 1
      """, boards: boards)
    #expect(script.problems.isEmpty)
    #expect(script.orders.map(\.at) == [10, 15, 15, 2, 3].map { .seconds($0) })
  }

  @Test func `Every bad line is named, with its number`() {
    let script = FaultScript("drop 1\ndrop 9\n\ncrash 1\n", boards: boards)
    #expect(script.orders.count == 1)
    #expect(script.problems.map { $0.prefix(8) } == ["line 2: ", "line 4: "])
  }
}
