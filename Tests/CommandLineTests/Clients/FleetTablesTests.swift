import FleetModel
import Testing

@testable import metafleet

@Suite struct FleetTablesTests {
  private let tables = FleetTables(
    monitor: exampleMonitor(), uptime: .seconds(1), now: Timestamp(milliseconds: 1_763_671_090_000))

  @Test
  func `F213 F214 a gateway's row counts what is listed below it; of one that is gone nothing is known`() {
    #expect(
      tables.gateways.rows.map { $0.map(\.text) } == [
        ["g1", "online", "1/5", "3/8", "12", "90s", "5", "–", "81 GB", "–", "storage"],
        ["g2", "offline", "–", "–", "–", "–", "–", "–", "–", "–", ""],
      ])
  }

  @Test func `F214 figures of a gateway that is gone are not shown as if it lived`() {
    let tables = FleetTables(
      monitor: exampleMonitor(["gateway/g1/availability": #"{"state":"offline","birth":3}"#]),
      uptime: .seconds(1), now: Timestamp(milliseconds: 1_763_671_090_000))
    #expect(
      tables.gateways.rows[0].map(\.text) == ["g1", "offline", "–", "–", "–", "–", "–", "–", "–", "–", ""])
    #expect(tables.adapters.rows.isEmpty)
    #expect(tables.boards(BoardSortOrder()).rows.allSatisfy { $0[5].text == "–" })
  }

  @Test(arguments: [
    // Health that is older than what became of the adapters says nothing against them.
    (
      #"{"name":"hci0","state":"up","slots_used":1,"slots_total":8}"#, #"{"bluetooth_ok":0,"slots_used":0}"#,
      "1/8", ""
    ),
    (
      #"{"name":"hci0","state":"missing","slots_used":1,"slots_total":8}"#, #"{"bluetooth_ok":1}"#, "1/0",
      "bluetooth"
    ),
    ("", #"{"bluetooth_ok":0}"#, "–", "bluetooth"), ("", #"{"bluetooth_ok":1}"#, "–", ""),
  ])
  func `F213 slots and Bluetooth are those of the adapters, whatever health says`(
    adapter: String, health: String, slots: String, trouble: String
  ) {
    let tables = FleetTables(
      monitor: exampleMonitor(["gateway/g1/adapter/001a7dda7113": adapter, "gateway/g1/health": health]),
      uptime: .seconds(1), now: Timestamp(milliseconds: 1_763_671_090_000))
    let row = tables.gateways.rows[0].map(\.text)
    #expect(row[3] == slots && row[10] == trouble, "\(row)")
  }

  @Test func `a gateway all of whose boards are drained says so`() {
    var documents: [String: String] = [:]
    for id in ["e5a1c2d3f4b6", "c0ffee000001", "c0ffee000002", "c0ffee000003", "c0ffee000004"] {
      documents["board/\(id)/state"] = #"{"link":"advertising","reason_code":"drained","gw":"g1"}"#
    }
    let tables = FleetTables(
      monitor: exampleMonitor(documents), uptime: .seconds(1), now: Timestamp(milliseconds: 1_763_671_090_000)
    )
    #expect(tables.gateways.rows[0].last?.text == "storage, drained")
    #expect(
      tables.boards(BoardSortOrder()).rows.first { $0[0].text == "Lamp\\u{1B}[31m" }?[11].text == "drained")
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
        "east pumps", "e5a1c2d3f4b6", "g1",
      ])
    let twin = try #require(rows.first { $0[13].text == "c0ffee000003" })
    #expect(twin[3] == .init("4 %", .bad))
    #expect(twin[6] == .init("7", .bad))
    #expect(twin[7] == "±1.5 ms")
    #expect(twin[8] == .init("2", .warning))
  }

  @Test(arguments: [
    (#""stage":"sending","in_progress":true,"update_percentage":42.4,"eta_ms":1763671158000"#, "42 % 68s"),
    (#""stage":"sending","in_progress":true,"update_percentage":99.9,"eta_ms":1763671000000"#, "100 %"),
    (#""stage":"fetching","in_progress":true"#, "fetching"),
    (#""stage":"rescuing","in_progress":false"#, "rescuing"),
    (#""stage":"failed","in_progress":false"#, nil), (#""stage":"idle","in_progress":false"#, nil),
  ])
  func `a board that gets firmware says how far that has come, in a column that is there meanwhile`(
    firmware: String, update: String?
  ) {
    let tables = FleetTables(
      monitor: exampleMonitor([
        "board/e5a1c2d3f4b6/state": #"{"link":"updating","gw":"g1"}"#,
        "board/e5a1c2d3f4b6/firmware": "{\(firmware)}",
      ]), uptime: .seconds(1), now: Timestamp(milliseconds: 1_763_671_090_000))
    let table = tables.boards(BoardSortOrder())
    let row = table.rows.first { row in row.contains { $0.text == "e5a1c2d3f4b6" } }
    #expect(row?[2].text == "updating" && tables.headline.contains("1 board getting firmware"))
    #expect((table.columns[3].title == "UPDATE") == (update != nil))
    #expect(table.rows.allSatisfy { $0.count == table.columns.count })
    if let update { #expect(row?[3].text == update) }
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
    #expect(tables.headline == "1 of 6 boards online, 1 with trouble, 50 samples/s")
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
