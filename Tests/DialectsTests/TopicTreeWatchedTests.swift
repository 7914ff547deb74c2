import Dialects
import FleetModel
import Testing

@Suite struct TopicTreeWatchedTests {
  private static let topics = TopicTree(base: "site/metafleet", gateway: "gw")

  private static func kind(_ topic: String, isRetained: Bool = false) -> WatchedTopic? {
    let watched = topics.watched(MQTTMessage(topic: topic, payload: [], isRetained: isRetained))
    if let watched { #expect("site/metafleet/\(watched.topic)" == topic) }
    return watched?.kind
  }

  @Test func `documents, events, replies and live samples are for who watches`() throws {
    let board = try #require(BoardID("e5a1c2d3f4b6"))
    let root = "site/metafleet/board/\(board)"
    #expect(Self.kind("\(root)/state", isRetained: true) == .document)
    #expect(Self.kind("site/metafleet/gateway/gw/adapter/001a7dda7113", isRetained: true) == .document)
    #expect(Self.kind("\(root)/event/data-gap") == .event)
    #expect(Self.kind("site/metafleet/group/east/reply/led") == .reply)
    #expect(Self.kind("\(root)/live/acceleration") == .live(board))
  }

  @Test(arguments: [
    "site/metafleet/board/e5a1c2d3f4b6/record/a", "site/metafleet/board/e5a1c2d3f4b6/log/a",
    "site/metafleet/board/e5a1c2d3f4b6/cmd/led", "site/metafleet/board/e5a1c2d3f4b6/state",
    "site/metafleet/board/pump/live/a", "homeassistant/device/a/config", "answers/mine",
    "site/metafleet/elsewhere/a/event/b",
  ])
  func `nothing else is`(topic: String) {
    #expect(Self.kind(topic) == nil)
  }
}
