import Dialects
import FleetModel
import Testing

@testable import metafleet

/// MQTT contract 3.11.
@Suite struct BatchTextTests {
  private static let results: JSONValue = [
    ["verb": "led", "stage": "done", "evidence": "readback", "data": ["playing": true]],
    ["verb": "profile", "stage": "failed", "code": "invalid", "message": "there is none"],
    ["verb": "reset", "stage": "unknown", "message": "the link went"],
    ["verb": "read", "stage": "done", "evidence": "response", "truncated": true],
    ["verb": "log-stop", "stage": "skipped"],
  ]

  private static func reply(_ stage: String, verb: String = "batch") -> ReplyDocument {
    ReplyDocument(
      json: ["stage": .string(stage), "verb": .string(verb), "data": ["results": results]])
  }

  @Test func `each command has a line: how it ended, and its answer or the reason`() {
    #expect(
      BatchText.lines(of: Self.reply("failed")) == [
        "led done (readback): playing: true", "profile failed: invalid: there is none",
        "reset unknown: the link went", "read done (response): the answer is too long for this reply",
        "log-stop skipped",
      ])
  }

  @Test func `no other verb has such lines`() {
    #expect(BatchText.lines(of: Self.reply("done", verb: "scan")) == nil)
    #expect(BatchText.lines(of: ReplyDocument(json: ["verb": "batch", "stage": "failed"])) == nil)
  }

  @Test func `they stand below the last stage, and not below those on the way`() {
    let now = Timestamp(milliseconds: 0)
    #expect(ReplyText.lines(of: Self.reply("sent"), now: now) == ["sent"])
    #expect(
      ReplyText.lines(of: Self.reply("failed"), now: now).prefix(2) == [
        "failed", "          led done (readback): playing: true",
      ])
  }
}
