import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct ReloadTextTests {
  private func lines(_ data: JSONObject, verb: String = "reload") -> [String]? {
    ReloadText.lines(of: ReplyDocument(json: ["verb": .string(verb), "data": .object(data)]))
  }

  @Test func `every key that changed has a line, and says what it needs`() {
    #expect(
      lines([
        "changed": ["boards"], "needs_restart": ["mqtt"],
        "changes": [
          ["path": "mqtt.port", "change": "changed", "applied": false],
          ["path": "boards[e5a1c2d3f4b6]", "change": "added", "applied": true],
        ], "more_changes": 7, "problems": [],
      ]) == [
        "mqtt.port changed: not applied, needs a restart", "boards[e5a1c2d3f4b6] added: applied",
        "and 7 more changes",
      ])
    #expect(lines(["changes": [], "problems": []]) == ["nothing changed"])
  }

  @Test func `every problem has a line with its place; those of a refusal stand alone`() {
    #expect(
      lines([
        "file": "/etc/m.yaml", "more_problems": 1,
        "problems": [["path": "log", "line": 2, "column": 3, "severity": "error", "text": "no"]],
      ]) == ["/etc/m.yaml:2:3: error: no", "and 1 more problem"])
  }

  @Test func `F188 boards that would go are named`() {
    #expect(
      lines(["boards": ["e5a1c2d3f4b6"], "more_boards": 2, "problems": []])
        == ["board e5a1c2d3f4b6: no longer listed", "and 2 more boards"])
  }

  @Test func `other verbs speak for themselves`() {
    #expect(lines(["boards": ["e5a1c2d3f4b6"]], verb: "scan") == nil)
  }
}
