import Dialects
import FleetModel
import Testing

@testable import Fleet

@Suite struct ReceivedTrafficTests {
  @Test func `samples count by stream, events by kind, anything else not at all`() throws {
    var heard = ReceivedTraffic(span: .seconds(2))
    for text in [
      #"{"board":"e5a1c2d3f4b6","stream":"acceleration","ax_g":1}"#, #"{"stream":"acceleration"}"#,
      #"{"kind":"link-lost","event_type":"lost"}"#, #"{"kind":"link-lost","event_type":"flapping"}"#,
      #"{"kind":"novel"}"#, "", "[]", "{",
    ] {
      heard.received(MQTTMessage(topic: "x", payload: Array(text.utf8)))
    }
    #expect(heard.streams == ["acceleration"])
    #expect(heard.events.mapValues { $0[.type] } == [.linkLost: "flapping"])
  }

  @Test func `it is heard where they are published`() throws {
    let board = try #require(BoardID("e5a1c2d3f4b6"))
    #expect(
      ReceivedTraffic.filters(base: "b", board: board, gateway: "g") == [
        "b/board/e5a1c2d3f4b6/live/+", "b/board/e5a1c2d3f4b6/event/+", "b/gateway/g/event/+",
      ])
    #expect(ReceivedTraffic.filters(base: "b", board: board, gateway: nil).count == 2)
  }
}
