import FleetModel
import Testing

@testable import metafleet

@Suite struct FleetTablesTests {
  private let tables = FleetTables(
    monitor: exampleMonitor(), uptime: .seconds(1), now: Timestamp(milliseconds: 1_763_671_090_000))

  @Test func `a gateway's health makes its row`() {
    #expect(
      tables.gateways.rows.map { $0.map(\.text) } == [
        ["g1", "online", "3/5", "3/8", "12", "90s", "5", "–", "81 GB", "–", "storage"],
        ["g2", "offline", "–", "–", "–", "–", "–", "–", "–", "–", ""],
      ])
  }

  @Test func `adapters of gateways that are there, with what went wrong, escaped`() {
    #expect(
      tables.adapters.rows.map { $0.map(\.text) } == [
        ["hci0", "g1", "up", "3/8", "1", "9", "2", "0", "on", "le-connection-abort\\u{1B}[31m"]
      ])
  }

  @Test func `a board's state, rate and losses make its row`() throws {
    let rows = tables.boards(BoardSortOrder()).rows
    #expect(
      rows.first { $0[0].text == "Pump 3" }?.map(\.text) == [
        "Pump 3", "online 90s", "streaming", "81 %", "-63 dBm", "50/s", "–", "–", "–", "–", "now", "",
        "e5a1c2d3f4b6",
        "g1",
      ])
    let twin = try #require(rows.first { $0[12].text == "c0ffee000003" })
    #expect(twin[3] == .init("4 %", .bad))
    #expect(twin[6] == .init("7", .bad))
    #expect(twin[7] == "±1.5 ms")
    #expect(twin[8] == .init("2", .warning))
  }

  @Test func `what a gateway that is gone said of a board counts no more`() throws {
    let state = #"{"link":"streaming","last_seen_ms":1763671000000,"gw":"g2"}"#
    let tables = FleetTables(
      monitor: exampleMonitor(["board/e5a1c2d3f4b7/state": state]), uptime: .seconds(1),
      now: Timestamp(milliseconds: 1_763_671_090_000))
    let row = try #require(tables.boards(BoardSortOrder()).rows.first { $0[0].text == "Pump 30" })
    #expect(row[2] == "–" && row[10] == "–")
  }

  @Test func `one line tells of all`() {
    #expect(tables.headline == "1 of 6 boards online, 50 samples/s")
  }

  @Test func `as JSON the documents stay as they are, gateways first`() {
    let objects = exampleMonitor().objects(BoardSortOrder(), at: .seconds(1))
    #expect(
      objects.map { ($0["gateway"] ?? $0["board"])?.string } == [
        "g1", "g2", "c0ffee000002", "c0ffee000001", "e5a1c2d3f4b6", "e5a1c2d3f4b7", "c0ffee000003",
        "c0ffee000004",
      ])
    #expect(objects[0]["adapters"]?.array?.count == 1)
    #expect(objects[4]["samples_per_s"]?.number == 50)
    #expect(objects[5]["samples_per_s"] == nil)
  }

  @Test(arguments: [(0.0, "0"), (0.14, "0.1"), (9.96, "10"), (401.4, "401")] as [(Double, String)])
  func `numbers are short`(_ value: Double, _ text: String) {
    #expect(FleetTables.rounded(value) == text)
  }
}
