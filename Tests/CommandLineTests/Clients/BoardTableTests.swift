import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct BoardTableTests {
  private let now = Timestamp(milliseconds: 1_763_671_090_000)

  private func table(_ fleet: FleetView) -> Table { BoardTable.table(of: fleet.sorted, in: fleet, now: now) }

  @Test func `a board's documents make its row`() {
    let rows = table(exampleFleet()).rows.map { $0.map(\.text) }
    #expect(
      rows.first { $0[0] == "Pump 3" } == [
        "Pump 3", "e5a1c2d3f4b6", "MetaMotion S", "online 90s", "streaming", "81 %", "-63 dBm", "1.7.3",
        "east pumps", "g1",
      ])
  }

  @Test func `a board whose gateway is gone is online only on paper`() {
    var fleet = exampleFleet()
    fleet.apply(
      topic: "metafleet/board/e5a1c2d3f4b7/state", payload: Array(#"{"link":"streaming","gw":"g2"}"#.utf8))
    let row = table(fleet).rows.first { $0[0].text == "Pump 30" }
    #expect(row?[3] == .init("gateway offline", .bad) && row?[4] == "–")
  }

  @Test(arguments: ["", " ", "\u{200B}\u{202E}", "\u{301}", "\u{3164}"])
  func `F212 a name without anything to be seen is the address`(_ name: String) {
    var fleet = FleetView(base: "metafleet")
    let info: JSONObject = ["name": .string(name), "gw": "g1"]
    fleet.apply(topic: "metafleet/board/e5a1c2d3f4b6/info", payload: JSONWriter.render(info))
    #expect(table(fleet).rows.map { $0[0].text } == ["E5:A1:C2:D3:F4:B6"])
  }

  @Test func `F89 names from the air are escaped`() {
    let names = table(exampleFleet()).rows.map { $0[0].text }
    #expect(names.contains("Lamp\\u{1B}[31m"))
  }

  @Test func `as JSON the documents stay as they are`() throws {
    let fleet = exampleFleet()
    let board = try #require(fleet.sorted.first { $0.name == "Pump 3" })
    let object = BoardTable.object(of: board, in: fleet)
    #expect(object.keys == ["board", "info", "availability", "state", "gateway_availability"])
    #expect(object["state"]?.object?["battery_pct"] == 81)
    #expect(object["gateway_availability"]?.object?["birth"] == 3)
  }

  @Test(arguments: [(0, "0s"), (99, "99s"), (100, "1m"), (6_000, "1h"), (172_800, "2d"), (-5, "0s")])
  func `ages have one unit`(_ seconds: Int, _ expected: String) {
    #expect(Age.text(of: .seconds(seconds)) == expected)
  }

  @Test func `narrow terminals keep what matters`() {
    let table = table(exampleFleet())
    #expect(table.fitted(to: 40).columns.map(\.title) == ["NAME", "AVAILABILITY", "LINK"])
    #expect(table.fitted(to: 200).columns.count == 10)
  }
}
