import Testing

@testable import Web

@Suite struct StreamMessageTests {
  private static func frame(_ kind: StreamMessage.Kind, _ topic: String, _ payload: String) -> String {
    String(
      decoding: StreamMessage(kind, topic: topic, payload: Array(payload.utf8)).frame, as: UTF8.self)
  }

  @Test func `a message is one event with its topic and payload`() {
    #expect(
      Self.frame(.document, "board/a/state", "{\"x\":1}")
        == "event: document\ndata: {\"topic\":\"board/a/state\",\"payload\":{\"x\":1}}\n\n")
    #expect(Self.frame(.live(SampleFleet.id(1)), "t", "{}").hasPrefix("event: live\n"))
    #expect(Self.frame(.event, "t", "{}").hasPrefix("event: event\n"))
    #expect(Self.frame(.reply, "t", "{}").hasPrefix("event: reply\n"))
  }

  @Test func `what was removed, and what would be more than one event, is nothing`() {
    for payload in ["", "{\n\n}", "{\r}"] {
      #expect(
        Self.frame(.document, "a\"\n", payload)
          == "event: document\ndata: {\"topic\":\"a\\\"\\n\",\"payload\":null}\n\n")
    }
  }
}
