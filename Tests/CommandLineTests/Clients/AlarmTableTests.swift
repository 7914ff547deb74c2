import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct AlarmTableTests {
  private static let now = Timestamp(milliseconds: 1_763_671_090_000)
  private static let alarms = """
    {"ts_ms":1763671080000,"gw":"g1","count":4,"unacknowledged":3,"alarms":[
     {"id":"storage-full","code":"storage-full","severity":"critical","since_ms":1763671030000,"text":"free space","acknowledged":true,"acknowledged_ms":1,"acknowledged_by":"anna\\u001b[31m"},
     {"id":"battery-low.e5a1c2d3f4b6","code":"battery-low","severity":"warning","since_ms":1763663890000,"board":"e5a1c2d3f4b6","name":"Pump\\n3","text":"charge it","acknowledged":false},
     {"id":"adapter-down.001a7dda7113","code":"adapter-down","severity":"warning","since_ms":1763671085000,"adapter":"001a7dda7113","text":"gone","acknowledged":false},
     {"id":"firmware-old","code":"firmware-old","severity":"info","since_ms":1763671089000,"text":"update","acknowledged":false}]}
    """

  private func monitor(_ documents: [String: String] = ["gateway/g1/alarms": alarms]) -> FleetMonitor {
    exampleMonitor(documents)
  }

  @Test
  func `alarms are listed, what nobody has seen first, the gravest of that first; nothing is printed raw`() {
    let rows = AlarmTable.table(monitor().fleet, now: Self.now).rows.map { $0.map(\.text) }
    #expect(
      rows == [
        ["battery-low", #"Pump\n3"#, "2h", "", "g1", "charge it"],
        ["adapter-down", "001a7dda7113", "5s", "", "g1", "gone"],
        ["firmware-old", "gateway", "1s", "", "g1", "update"],
        ["storage-full", "gateway", "60s", #"anna\u{1B}[31m"#, "g1", "free space"],
      ])
  }

  @Test func `what a gateway that is gone has said is not listed`() {
    let monitor = monitor(["gateway/g2/alarms": Self.alarms, "gateway/g1/alarms": "x"])
    #expect(AlarmTable.table(monitor.fleet, now: Self.now).rows.isEmpty)
    #expect(AlarmTable.unacknowledged(monitor.fleet) == 0)
  }

  @Test func `top counts what nobody has seen, lists it above all else, and says it in JSON as it came`() {
    let tables = FleetTables(monitor: monitor(), uptime: .seconds(1), now: Self.now)
    #expect(tables.headline.contains(", 3 alarms"))
    var screen = TopScreen(order: BoardSortOrder())
    let lines = screen.lines(tables, TerminalSize(columns: 160, rows: 60), isColoured: false)
    let (alarm, gateway) = (
      lines.firstIndex { $0.hasPrefix("ALARM") }, lines.firstIndex { $0.hasPrefix("GATEWAY  STATE") }
    )
    #expect(alarm != nil && gateway != nil && alarm ?? 0 < gateway ?? 0)
    let object = monitor().objects(BoardSortOrder(), at: .seconds(1)).first
    #expect(object?["alarms"]?.object?["count"] == 4)
  }
}
