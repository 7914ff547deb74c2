import Dialects
import FleetModel
import Testing

@testable import Fleet

@Suite struct ReceivedTrafficTests {
  @Test func `samples count by stream, anything else not at all`() throws {
    var heard = ReceivedTraffic(span: .seconds(2))
    for text in [
      #"{"board":"e5a1c2d3f4b6","stream":"acceleration","ax_g":1}"#, #"{"stream":"acceleration"}"#,
      #"{"kind":"link-lost","event_type":"lost"}"#, #"{"kind":"link-lost","event_type":"flapping"}"#,
      #"{"kind":"novel"}"#, "", "[]", "{",
    ] {
      heard.received(MQTTMessage(topic: "x", payload: Array(text.utf8)))
    }
    #expect(heard.streams == ["acceleration"])
  }

  @Test func `it is heard where they are published`() throws {
    let board = try #require(BoardID("e5a1c2d3f4b6"))
    #expect(
      ReceivedTraffic.filters(base: "b", board: board) == ["b/board/e5a1c2d3f4b6/live/+"])
  }
}
