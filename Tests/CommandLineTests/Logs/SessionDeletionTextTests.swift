import FleetModel
import Testing

@testable import metafleet

@Suite struct SessionDeletionTextTests {
  private static let data: JSONObject = [
    "deleted": 3, "samples": 1_234, "entries": 10,
    "sessions": [
      [
        "session": "01JDB91TAS8N0M2T5V7X9Z1ABC", "board": "c0ffee000001", "kind": "log", "started_ms": 0,
        "samples": 7, "entries": 10, "complete": true,
      ],
      [
        "session": "01JDB91TAS8N0M2T5V7X9Z1ABD", "board": "c0ffee000002", "kind": "stream",
        "stream": "acceleration", "started_ms": 0, "samples": 1_227, "running": true,
      ],
      [
        "session": "01JDB91TAS8N0M2T5V7X9Z1ABE", "board": "c0ffee000002", "kind": "log", "started_ms": 0,
        "samples": 0, "entries": 4, "complete": false,
      ],
    ],
    "more_sessions": 2,
    "refused": [["session": "01JDB91TAS8N0M2T5V7X9Z1ABF", "reason": "it is still on its board"]],
    "more_refused": 1,
  ]

  @Test func `what goes is shown with what it is worth, and what stays with why`() {
    let text = SessionDeletionText(data: Self.data, names: ["c0ffee000001": "Pump 3"])
    #expect(text.sessions == 3 && text.summary == "3 sessions with 1234 samples")
    let lines = text.lines(width: nil, isColoured: false)
    #expect(lines[1].contains("Pump 3") && lines[1].hasSuffix("10 entries, downloaded completely"))
    #expect(lines[2].contains("c0ffee000002") && lines[2].contains("goes on"))
    #expect(lines[3].hasSuffix("not all that the board counted"))
    #expect(
      lines.suffix(3) == [
        "and 2 more", "stays: 01JDB91TAS8N0M2T5V7X9Z1ABF: it is still on its board", "and 1 more stay",
      ])
  }

  @Test func `where nothing goes there is no table`() {
    #expect(SessionDeletionText(data: ["deleted": 0]).lines(width: 80, isColoured: false).isEmpty)
  }
}
