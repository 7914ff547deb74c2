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
      (
        ["stage": "done", "took_ms": 1334, "evidence": "readback", "data": ["playing": true]],
        ["done      in 1s334ms (readback)", "          playing: true"]
      ),
      (
        ["stage": "failed", "code": "busy", "message": "too much", "retry_after_ms": 2000],
        ["failed    busy: too much (try again in 2s)"]
      ),
      (["stage": "unknown", "message": "the link went"], ["unknown   the link went"]),
      (["stage": "failed", "message": "a\u{1B}[2Jb"], ["failed    a\\u{1B}[2Jb"]),
    ] as [(JSONObject, [String])])
  func `replies in words`(_ reply: JSONObject, _ expected: [String]) {
    #expect(ReplyText.lines(of: reply, now: Timestamp(milliseconds: 1_000_000)) == expected)
  }
}
