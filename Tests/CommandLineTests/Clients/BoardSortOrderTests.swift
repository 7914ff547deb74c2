import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct BoardSortOrderTests {
  private func names(_ order: BoardSortOrder) -> [String] {
    order.sorted(exampleMonitor(), at: .seconds(1)).map(\.name)
  }

  @Test(
    arguments: [
      (.name, false, ["east", "Lamp\u{1B}[31m"]), (.name, true, ["Twin", "Twin"]),
      (.battery, false, ["Twin", "Pump 3"]),
      (.battery, true, ["Pump 3", "Twin"]), (.signal, false, ["Twin", "Pump 3"]),
      (.rate, false, ["Pump 3", "east"]),
      (.loss, false, ["Twin", "east"]), (.clock, true, ["Twin", "east"]), (.link, false, ["Twin", "Pump 3"]),
      (.link, true, ["Pump 3", "Twin"]),
    ] as [(BoardSortOrder.Key, Bool, [String])])
  func `what tells least comes last, equals by name`(
    _ key: BoardSortOrder.Key, _ isReversed: Bool, _ first: [String]
  ) {
    let all = names(BoardSortOrder(key: key, isReversed: isReversed))
    #expect(all.count == 6)
    #expect(Array(all.prefix(2)) == first)
  }

  @Test func `every key has a letter of its own`() {
    #expect(Set(BoardSortOrder.Key.allCases.map(\.letter)).count == BoardSortOrder.Key.allCases.count)
  }
}
