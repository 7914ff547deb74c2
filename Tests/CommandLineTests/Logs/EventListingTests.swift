import FleetModel
import Testing

@testable import metafleet

@Suite struct EventListingTests {
  private static let board = BoardID(BluetoothAddress(rawValue: 0xE5A1_C2D3_F4B6))
  private static let start = Timestamp(milliseconds: 1_763_671_234_567)

  private static func entry(
    _ kind: String, board: BoardID? = nil, isOfGateway: Bool = true, adapter: String? = nil,
    _ document: String
  ) -> HistoryEntry {
    HistoryEntry(
      time: start, kind: kind, isOfGateway: isOfGateway, board: board, adapter: adapter,
      document: Array(document.utf8))
  }

  private static let entries = [
    entry(
      "link-lost", board: board, isOfGateway: false, adapter: "001a7dda7113",
      #"{"event_type":"flapping","reason":"timeout","adapter":"001a7dda7113","message":"no answer within 20 s"}"#
    ),
    entry(
      "link-up", board: board, isOfGateway: false, #"{"event_type":"up","adapter":"001a7dda7113"}"#),
    entry(
      "adapter", adapter: "001a7dda7113", #"{"event_type":"lost","adapter":"001a7dda7113","name":"hci0"}"#),
    entry(
      "board-admitted", board: board, #"{"event_type":"admitted","board":"e5a1c2d3f4b6","by":"command"}"#),
    entry("storage", #"{"event_type":"full","free_bytes":7}"#),
    entry(
      "command", board: board, isOfGateway: false,
      #"{"event_type":"failed","verb":"led","code":"unreachable","message":"it was\u001b not heard"}"#),
    entry("command", #"{"event_type":"done","verb":"identify","group":"east"}"#),
  ]

  private static func lines(_ width: Int?) -> [String] {
    EventListing.lines(of: entries, names: [board: "Pump 3"], width: width, isColoured: false)
  }

  @Test func `a line says when, whom, what, and why`() {
    #expect(
      Self.lines(nil) == [
        "TIME (UTC)           SOURCE            EVENT               WHAT",
        "2025-11-20 20:40:34  Pump 3            link-lost flapping  no answer within 20 s",
        "2025-11-20 20:40:34  Pump 3            link-up             adapter=001a7dda7113",
        "2025-11-20 20:40:34  hci0              adapter lost        adapter=001a7dda7113 name=hci0",
        "2025-11-20 20:40:34  gateway           board-admitted      Pump 3 by=command",
        "2025-11-20 20:40:34  storage           storage full        free_bytes=7",
        #"2025-11-20 20:40:34  Pump 3            command failed      led: unreachable; it was\u{1B} not heard"#,
        "2025-11-20 20:40:34  group:east        command done        identify",
      ])
  }

  @Test func `eighty columns are enough, whatever a board is called`() {
    let name = String(repeating: "long ", count: 12)
    let lines = EventListing.lines(
      of: Self.entries, names: [Self.board: name], width: 80, isColoured: false)
    #expect(lines.allSatisfy { TextWidth.of($0) <= 80 })
    #expect(lines[1].hasPrefix("2025-11-20 20:40:34  long long long …  link-lost flapping  no answer"))
  }

  @Test func `lines that follow stand below the first, without a title`() {
    let more = EventListing.lines(
      of: [Self.entries[4]], names: [:], width: 80, isColoured: false, hasTitle: false)
    #expect(more == [Self.lines(80)[5]])
  }
}
