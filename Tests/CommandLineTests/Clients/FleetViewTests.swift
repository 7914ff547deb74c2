import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct FleetViewTests {
  @Test func `documents gather per board, and an empty payload removes`() {
    var fleet = exampleFleet()
    #expect(fleet.boards.count == 6)
    for document in ["info", "availability", "state"] {
      fleet.apply(topic: "metafleet/board/e5a1c2d3f4b6/\(document)", payload: [])
    }
    #expect(fleet.boards.count == 5)
  }

  @Test(
    arguments: [
      "other/board/e5a1c2d3f4b6/info", "metafleet/board/E5A1C2D3F4B6/info", "metafleet/board/x/info",
      "metafleet/board/e5a1c2d3f4b6/reply", "metafleet/x/y/z/info",
    ])
  func `other topics are nobody's`(_ topic: String) {
    var fleet = FleetView(base: "metafleet")
    fleet.apply(topic: topic, payload: Array("{}".utf8))
    #expect(fleet.boards.isEmpty)
  }

  @Test func `payloads that are not objects count as nothing`() {
    var fleet = FleetView(base: "metafleet")
    for text in ["", "x", "[]", "{", "\u{FF}"] {
      fleet.apply(topic: "metafleet/board/e5a1c2d3f4b6/info", payload: Array(text.utf8))
      #expect(fleet.boards.isEmpty)
    }
  }
}
