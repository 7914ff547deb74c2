import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct BoardFilterTests {
  private func names(_ filter: BoardFilter) -> [String] {
    let fleet = exampleFleet()
    return fleet.sorted.filter { filter.passes($0, in: fleet) }.map(\.name)
  }

  @Test func `each condition takes boards away`() {
    #expect(names(BoardFilter()).count == 6)
    #expect(names(BoardFilter(group: "east")) == ["Pump 3", "Pump 30"])
    #expect(names(BoardFilter(group: "eas")).isEmpty)
    #expect(names(BoardFilter(group: "east", isOffline: true)) == ["Pump 30"])
    #expect(names(BoardFilter(isTrouble: true)) == ["Pump 30"])
  }

  @Test(
    arguments: [
      ("PUMP", ["Pump 3", "Pump 30"]), ("pumps", ["Pump 3"]), ("c0ffee000002", ["east"]), ("g2", ["Pump 30"]),
      ("streaming", ["Pump 3"]), ("gateway-off", ["Pump 30"]), ("%", []),
    ] as [(String, [String])])
  func `text is looked for in names, ids, groups, gateways, links and troubles`(
    _ text: String, _ found: [String]
  ) {
    #expect(names(BoardFilter(text: text)) == found)
  }

  @Test func `what is listed is said in words`() {
    #expect(BoardFilter().words.isEmpty && BoardFilter().isEmpty)
    #expect(
      BoardFilter(group: "east", isOffline: true, isTrouble: true, text: "x\u{1B}").words
        == #"in group east, not online, with trouble, with "x\u{1B}""#)
  }
}
