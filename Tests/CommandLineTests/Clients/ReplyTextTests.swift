import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct ReplyTextTests {
  @Test(
    arguments: [
      (["stage": "accepted", "gw": "g1"], ["accepted  by g1"]),
      (["stage": "sent"], ["sent"]),
      (["stage": "queued", "eta_ms": 1_090_000], ["queued    next contact in 1m30s"]),
      (["stage": "progress", "pct": 12.5], ["progress  12.5 %"]),
      (["stage": "progress", "pct": 50, "eta_ms": 1_090_000], ["progress  50 % (over in 1m30s)"]),
      (
        ["stage": "done", "took_ms": 1334, "evidence": "readback", "data": ["playing": true]],
        ["done      in 1s (readback)", "          playing: true"]
      ),
      (
        ["stage": "done", "data": ["values": [1, 2], "problems": ["one", ["board": "b"]], "left": []]],
        [
          "done", "          values: [1,2]", "          problems:", "            one",
          "            {\"board\":\"b\"}", "          left: []",
        ]
      ),
      (
        ["stage": "failed", "code": "busy", "message": "too much", "retry_after_ms": 2000],
        ["failed    busy: too much (try again in 2s)"]
      ),
      (["stage": "unknown", "message": "the link went"], ["unknown   the link went"]),
      (["stage": "failed", "message": "a\u{1B}[2Jb"], ["failed    a\\u{1B}[2Jb"]),
    ] as [(JSONObject, [String])])
  func `replies in words`(_ reply: JSONObject, _ expected: [String]) {
    #expect(
      ReplyText.lines(of: ReplyDocument(json: reply), now: Timestamp(milliseconds: 1_000_000)) == expected)
  }

  private static let counts: JSONObject = [
    "total": 40, "done": 37, "failed": 2, "unknown": 1, "pending": 0, "skipped": 0,
  ]

  @Test func `a group's job tells how far it is, and which boards were not done`() {
    func lines(_ reply: JSONObject, told: Set<String> = []) -> [String] {
      ReplyText.lines(
        of: ReplyDocument(json: reply.merging(["group": "east", "gw": "g1"])),
        now: Timestamp(milliseconds: 0),
        names: ["e5a1c2d3f4b7": "Pump 4\u{1B}"], told: told)
    }
    #expect(
      lines(["stage": "accepted", "data": ["total": 40, "job": ["parallel": 8]]])
        == ["accepted  by g1", "          40 boards"])
    #expect(
      lines(["stage": "progress", "pct": 45, "data": ["total": 40, "done": 17, "failed": 1, "pending": 22]])
        == ["progress  45 % 17 of 40 done, 1 failed, 22 to go"])
    let members: JSONValue = [
      ["board": "e5a1c2d3f4b7", "stage": "failed", "code": "unreachable"],
      ["board": "e5a1c2d3f4b8", "stage": "unknown"],
    ]
    #expect(
      lines([
        "stage": "failed", "code": "unreachable", "message": "37 of 40 done",
        "data": .object(Self.counts.merging(["not_done": members])),
      ]) == [
        "failed    unreachable: 37 of 40 done", "          37 of 40 done, 2 failed, 1 unknown",
        "          Pump 4\\u{1B} (e5a1c2d3f4b7) failed: unreachable", "          e5a1c2d3f4b8 unknown",
        "          … and 1 more",
      ])
    #expect(
      lines(
        [
          "stage": "failed", "code": "unreachable", "message": "38 of 40 done",
          "data": ["total": 40, "done": 38, "failed": 1, "unknown": 1, "not_done": members],
        ], told: ["e5a1c2d3f4b7"]) == [
          "failed    unreachable: 38 of 40 done", "          38 of 40 done, 1 failed, 1 unknown",
          "          e5a1c2d3f4b8 unknown",
        ])
  }
}
