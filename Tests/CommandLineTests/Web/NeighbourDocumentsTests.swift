import Dialects
import FleetModel
import Testing
import Web

@testable import metafleet

@Suite struct NeighbourDocumentsTests {
  private static let topics = TopicTree(base: "site/m", gateway: "gw")

  private static func message(_ topic: String, _ payload: String, isRetained: Bool = false) -> MQTTMessage {
    MQTTMessage(topic: "site/m/\(topic)", payload: Array(payload.utf8), isRetained: isRetained)
  }

  @Test func `documents of others are kept by their topics, until they are removed`() {
    var known = NeighbourDocuments()
    let state = Self.message("board/e5a1c2d3f4b6/state", "{ \"gw\" : \"other\" }\n", isRetained: true)
    #expect(NeighbourDocuments.board(of: state, in: Self.topics)?.description == "e5a1c2d3f4b6")
    let payload = Array("{\"gw\":\"other\"}".utf8)
    #expect(
      known.take(state, in: Self.topics)
        == StreamMessage(.document, topic: "board/e5a1c2d3f4b6/state", payload: payload))
    #expect(known.take(Self.message("gateway/other/adapter/001a7dda7113", "{}"), in: Self.topics) != nil)
    #expect(
      known.byTopic.keys.sorted() == ["board/e5a1c2d3f4b6/state", "gateway/other/adapter/001a7dda7113"])
    let removal = known.take(Self.message("board/e5a1c2d3f4b6/state", ""), in: Self.topics)
    #expect(removal == StreamMessage(.document, topic: "board/e5a1c2d3f4b6/state", payload: []))
    #expect(known.take(Self.message("board/e5a1c2d3f4b6/state", ""), in: Self.topics) == nil)
    #expect(known.byTopic.count == 1)
  }

  @Test func `events pass, and are not kept`() {
    var known = NeighbourDocuments()
    let event = Self.message("gateway/other/event/process", "{}")
    #expect(known.take(event, in: Self.topics)?.kind == .event && known.byTopic.isEmpty)
    #expect(NeighbourDocuments.board(of: event, in: Self.topics) == nil)
  }

  @Test(arguments: [
    ("gateway/gw/info", "{}"), ("gateway/gw/event/process", "{}"), ("board/e5a1c2d3f4b6/state", "[]"),
    ("board/e5a1c2d3f4b6/state", "{"), ("board/e5a1c2d3f4b6/record/a", "{}"), ("board/e5a1c2d3f4b6", "{}"),
    ("elsewhere/a/b", "{}"), ("board/e5a1c2d3f4b6/cmd/led", "{}"),
  ])
  func `what is ours, no document or no object is left out`(topic: String, payload: String) {
    var known = NeighbourDocuments()
    #expect(known.take(Self.message(topic, payload), in: Self.topics) == nil && known.byTopic.isEmpty)
  }

  @Test func `F239 what others may say has bounds`() {
    var known = NeighbourDocuments()
    let long = "{\"a\":\"" + String(repeating: "x", count: NeighbourDocuments.largest) + "\"}"
    #expect(known.take(Self.message("gateway/other/info", long), in: Self.topics) == nil)
    for number in 0...NeighbourDocuments.most {
      _ = known.take(Self.message("gateway/g\(number)/info", "{}"), in: Self.topics)
    }
    #expect(known.byTopic.count == NeighbourDocuments.most)
    #expect(known.take(Self.message("gateway/g1/info", "{\"b\":1}"), in: Self.topics) != nil)
  }
}
