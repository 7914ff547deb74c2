import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct BoardPageTests {
  private let now = Timestamp(milliseconds: 1_763_671_090_000)

  private func lines(_ documents: [String: String]) -> [String] {
    var fleet = FleetView(base: "metafleet", scope: .everything)
    for (topic, text) in documents { fleet.apply(topic: "metafleet/\(topic)", payload: Array(text.utf8)) }
    guard let board = fleet.boards.values.first else { return [] }
    let page = BoardPage(board: board, fleet: fleet, now: now)
    return [page.sheet, page.abilities, page.streams].flatMap { $0.lines(width: 100, isColoured: false) }
  }

  private let whole = [
    "board/e5a1c2d3f4b6/info": """
    {"name":"Pump 3","gw":"g1","model":"MetaMotion S","imu":"bmi270","hw":"0.1","fw":"1.7.2","serial":"055B9E",
    "site":"hq","groups":["east","pumps"],"labels":{"room":"3.14"},"verbs":["led","read"],
    "slots":{"loggers":8,"log_entries":100},
    "modules":{"led":{"id":2,"present":true,"implementation":0,"revision":1,"extra":""},
    "humidity":{"id":22,"present":false}},
    "streams":{"acceleration":{"fields":[{"name":"ax_g"},{"name":"ay_g"}],"streamable":true,"loggable":true,
    "readable":false,"offers":{"range_g":[2,4],"data_pin":{"min":0,"max":7}}}}}
    """,
    "board/e5a1c2d3f4b6/availability":
      #"{"state":"online","reason":"connected","since_ms":1763671000000,"gw":"g1"}"#,
    "board/e5a1c2d3f4b6/state": """
    {"ts_ms":1763671080000,"link":"streaming","adapter":"001a7dda7113","rssi_dbm":-63,"battery_pct":81,
    "battery_mv":4012,"battery_ms":1763671030000,"charging":true,"next_contact_ms":1763671000000,"sessions_24h":24,
    "session_fail_24h":1,"samples_lost_24h":0,"commands_waiting":2,"clock_err_ms":0.8,"boot":5,"gw":"g1"}
    """,
    "board/e5a1c2d3f4b6/led":
      #"{"state":"ON","ts_ms":1,"color_mode":"rgb","color":{"r":255,"g":0,"b":0},"brightness":128,"effect":"blink"}"#,
    "board/e5a1c2d3f4b6/config": """
    {"in_sync":false,"differences":["settings/tx_dbm missing"],"overlay":["stream/acceleration"],"foreign":["logger/3"],
    "slots_used":{"loggers":1,"timers":0},"error":"settings/tx_dbm: no","applied_ms":1763671000000}
    """,
    "gateway/g1/availability": #"{"state":"online","birth":3,"since_ms":1763670000000,"reason":"started"}"#,
    "gateway/g1/info": #"{"version":"1.0.0","host":"attic","os":"Debian"}"#,
    "gateway/g1/health": #"{"bluetooth_ok":1,"storage_ok":0,"outbox_msgs":7,"outbox_oldest_s":90}"#,
    "gateway/g1/adapter/001a7dda7113": #"{"name":"hci0"}"#,
  ]

  @Test(arguments: [
    "Pump 3", "  board         e5a1c2d3f4b6, E5:A1:C2:D3:F4:B6",
    "  model         MetaMotion S, bmi270, hardware 0.1, firmware 1.7.2", "  made by       serial 055B9E",
    "  groups        east, pumps", "  labels        room=3.14", "  availability  online 90s",
    "  link          streaming, adapter hci0 (001a7dda7113), -63 dBm",
    "  battery       81 %, 4012 mV, charging, read 60s ago", "  next contact  overdue by 90s",
    "  LED           blink, colour 255/0/0, brightness 128", "  commands      2 waiting",
    "  in sync       no", "  differences   settings/tx_dbm missing", "  refused       settings/tx_dbm: no",
    "  by commands   stream/acceleration", "  foreign       logger/3", "  taken         1 loggers",
    "  applied       90s ago",
    "  clock         ±0.8 ms, boot 5", "  failed        1", "  id            g1, online 18m",
    "  runs          version 1.0.0, on attic, Debian", "  storage       has a problem",
    "  outbox        7 messages, oldest 90s", "  modules   led 0.1", "  absent    humidity",
    "  slots     8 loggers, 100 log entries", "  commands  led, read",
    "  acceleration  ax_g ay_g; streamable, loggable; range_g 2 4; data_pin 0–7",
  ]) func `every document has its lines`(_ line: String) {
    #expect(lines(whole).contains(line))
  }

  @Test func `what is not known is left out`() {
    let page = lines(["board/e5a1c2d3f4b6/info": "{}"])
    #expect(
      page == [
        "E5:A1:C2:D3:F4:B6", "  board         e5a1c2d3f4b6, E5:A1:C2:D3:F4:B6",
        "  availability  gateway offline",
      ])
  }

  @Test func `a board whose gateway is gone says so`() {
    var documents = whole
    documents["gateway/g1/availability"] =
      #"{"state":"offline","birth":3,"since_ms":1763670000000,"reason":"stopped"}"#
    #expect(lines(documents).contains("  id            g1, offline 18m, stopped"))
    #expect(lines(documents).contains("  availability  gateway offline"))
    // What it said of itself and of the board's link is over (fault F214).
    #expect(!lines(documents).contains { $0.contains("has a problem") || $0.contains("streaming,") })
  }

  @Test func `how a board is comes before what it is, and what it can do is a page of its own`() throws {
    let all = lines(whole)
    let places = [
      "  availability  online 90s", "Last 24 hours", "Setup", "Gateway", "Board", "Abilities", "Streams",
    ]
    .map { all.firstIndex(of: $0) ?? -1 }
    #expect(places == places.sorted() && !places.contains(-1), "\(places)")
  }

  @Test func `F89 names from the air are escaped`() {
    let text = lines(["board/e5a1c2d3f4b6/info": #"{"name":"x\u001b[2J","model":"\u001b[31m"}"#]).joined()
    #expect(!text.contains("\u{1B}"))
  }
}
