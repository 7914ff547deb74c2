import Dialects
import FleetModel
import Testing

/// MQTT API 2.
@Suite struct TopicTreeTests {
  private let topics = TopicTree(base: "site/metafleet", gateway: "gw-3f")
  private let board = BoardID(BluetoothAddress(rawValue: 0xE5A1_C2D3_F4B6))
  private let adapter = AdapterID(BluetoothAddress(rawValue: 0x001A_7DDA_7113))

  @Test func `says where everything stands`() {
    let root = "site/metafleet/board/e5a1c2d3f4b6"
    #expect(topics.board(board, .info) == "\(root)/info")
    #expect(topics.board(board, .availability) == "\(root)/availability")
    #expect(topics.board(board, .state) == "\(root)/state")
    #expect(topics.board(board, .led) == "\(root)/led")
    #expect(topics.board(board, .live, "acceleration") == "\(root)/live/acceleration")
    #expect(topics.board(board, .record, "battery-mv") == "\(root)/record/battery-mv")
    #expect(topics.board(board, .log, "switch") == "\(root)/log/switch")
    #expect(topics.event(.dataGap, of: .board(board)) == "\(root)/event/data-gap")
    #expect(topics.command(to: .board(board), "led") == "\(root)/cmd/led")
    #expect(topics.reply(to: .board(board), "led") == "\(root)/reply/led")
    #expect(topics.reply(to: .group("east"), "led") == "site/metafleet/group/east/reply/led")
    #expect(topics.gatewayAvailability == "site/metafleet/gateway/gw-3f/availability")
    #expect(topics.gatewayInfo == "site/metafleet/gateway/gw-3f/info")
    #expect(topics.gatewayHealth == "site/metafleet/gateway/gw-3f/health")
    #expect(topics.gatewayAlarms == "site/metafleet/gateway/gw-3f/alarms")
    #expect(topics.adapter(adapter) == "site/metafleet/gateway/gw-3f/adapter/001a7dda7113")
    #expect(topics.event(.process, of: .gateway) == "site/metafleet/gateway/gw-3f/event/process")
    #expect(topics.reply(to: .gateway("gw-3f"), "admit") == "site/metafleet/gateway/gw-3f/reply/admit")
  }

  @Test func `hears commands and retained documents`() {
    #expect(
      topics.commandFilters == [
        "site/metafleet/board/+/cmd/#", "site/metafleet/group/+/cmd/#", "site/metafleet/gateway/gw-3f/cmd/#",
      ])
    #expect(topics.boardDocumentFilters.contains("site/metafleet/board/+/availability"))
    #expect(topics.boardDocumentFilters.contains("site/metafleet/board/+/config"))
    #expect(topics.boardDocumentFilters.count == topics.documentsPerBoard)
  }

  @Test func `F222 a gateway's own documents tell whose they are`() {
    for topic in [
      topics.gatewayInfo, topics.gatewayHealth, topics.gatewayAlarms, topics.gatewayAvailability,
      topics.adapter(adapter),
    ] {
      #expect(TopicTree(ofGatewayDocument: topic) == topics)
    }
    #expect(topics.adapter(of: topics.adapter(adapter)) == adapter)
    #expect(topics.adapter(of: topics.gatewayInfo) == nil && topics.board(of: topics.gatewayInfo) == nil)
    #expect(topics.board(of: topics.board(board, .led)) == board)
  }

  @Test func `what it says it understands`() {
    let targets: [CommandTarget] = [.board(board), .group("all"), .group("3f_east-2"), .gateway("gw-3f")]
    for target in targets {
      #expect(
        topics.parse(topics.command(to: target, "stream-start")) == .command(target, verb: "stream-start"))
    }
    for document in TopicTree.BoardDocument.allCases {
      #expect(topics.parse(topics.board(board, document)) == .document(board, document))
    }
    #expect(topics.parse(topics.gatewayAvailability) == .ownAvailability)
    let source = topics.source(of: topics.board(board, .record, "acceleration"))
    #expect(source?.board == board && source?.stream == "acceleration")
  }

  @Test(
    arguments: [
      "", "/", "site/metafleet", "site/metafleet/", "site/metafleet/board",
      "other/board/e5a1c2d3f4b6/cmd/led",
      "site/metafleetx/board/e5a1c2d3f4b6/cmd/led", "site/metafleet//board/e5a1c2d3f4b6/cmd/led",
      "site/metafleet/board/E5:A1:C2:D3:F4:B6/cmd/led", "site/metafleet/board/E5A1C2D3F4B6/info",
      "site/metafleet/board/e5a1c2d3f4b6/cmd/", "site/metafleet/board/e5a1c2d3f4b6/cmd//led",
      "site/metafleet/board//cmd/led",
      "site/metafleet/board/e5a1c2d3f4b6/cmd/+", "site/metafleet/board/e5a1c2d3f4b6/cmd/#",
      "site/metafleet/board/+/cmd/led",
      "site/metafleet/board/e5a1c2d3f4b6/cmd/..", "site/metafleet/board/../cmd/led",
      "site/metafleet/board/e5a1c2d3f4b6/cmd/le d",
      "site/metafleet/board/e5a1c2d3f4b6/cmd/led\u{0}", "site/metafleet/board/e5a1c2d3f4b6/cmd/led\n",
      "site/metafleet/board/e5a1c2d3f4b6/cmd/\u{202E}del", "site/metafleet/board/e5a1c2d3f4b6/cmd/lëd",
      "site/metafleet/board/e5a1c2d3f4b6/CMD/led", "site/metafleet/board/e5a1c2d3f4b6/reply/led",
      "site/metafleet/group//cmd/led", "site/metafleet/group/../cmd/led", "site/metafleet/group/+/cmd/led",
      "site/metafleet/group/East/cmd/led", "site/metafleet/group/\u{202E}/cmd/led",
      "site/metafleet/group/a\nb/cmd/led",
      "site/metafleet/gateway/other/cmd/admit", "site/metafleet/gateway/gw-3f/event/process",
      "$SYS/broker/uptime",
      "site/metafleet/board/e5a1c2d3f4b6/info/x", "site/metafleet/board/e5a1c2d3f4b6/secrets",
    ])
  func `F85 hostile topics are none of ours`(topic: String) {
    #expect(topics.parse(topic) == nil)
    #expect(topics.source(of: topic) == nil)
  }

  @Test func `people write addresses in either case, and answers go out under the one that topics have`() {
    let parsed = topics.parse("site/metafleet/board/E5a1C2D3F4B6/cmd/led")
    #expect(parsed == .command(.board(board), verb: "led"))
    #expect(topics.reply(to: .board(board), "led") == "site/metafleet/board/e5a1c2d3f4b6/reply/led")
  }

  @Test(
    arguments: ["led/", "led/set", "led/set/now", "led/../reset"])
  func `what is published below a command is known to be meant for somebody`(levels: String) {
    let group = topics.parse("site/metafleet/group/east/cmd/" + levels)
    #expect(
      topics.parse("site/metafleet/board/e5a1c2d3f4b6/cmd/" + levels)
        == .belowCommand(.board(board), verb: "led"))
    #expect(group == .belowCommand(.group("east"), verb: "led"))
    #expect(topics.parse("site/metafleet/gateway/other/cmd/" + levels) == nil)
  }

  @Test func `F85 levels of 64 kB stay outside`() {
    let long = String(repeating: "a", count: 65_000)
    #expect(topics.parse("site/metafleet/board/e5a1c2d3f4b6/cmd/\(long)") == nil)
    #expect(topics.parse("site/metafleet/group/\(long)/cmd/led") == nil)
    #expect(topics.parse("site/metafleet/\(long)/e5a1c2d3f4b6/cmd/led") == nil)
  }

  @Test(
    arguments: [
      "site/metafleet/board/e5a1c2d3f4b6/event/button", "site/metafleet/board/e5a1c2d3f4b6/info",
      "site/metafleet/board/e5a1c2d3f4b6/influx/acceleration",
      "site/metafleet/group/e5a1c2d3f4b6/record/acceleration",
    ])
  func `only the lanes carry samples`(topic: String) { #expect(topics.source(of: topic) == nil) }
}
