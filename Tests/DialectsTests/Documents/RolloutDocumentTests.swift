import FleetModel
import Testing

@testable import Dialects

@Suite struct RolloutDocumentTests {
  private static let report = RolloutReport(
    id: "fw-173", group: "pumps", version: "1.7.3", phase: .aborted, isPaused: false, reason: "1 board waits",
    counts: [.total: 3, .done: 1, .stranded: 1, .refused: 1], perHour: 5, next: nil,
    began: Timestamp(milliseconds: 4), rows: [.init(.example, .stranded, "it answers no more")],
    time: Timestamp(milliseconds: 9))

  @Test func `a rollout is one retained document, with all counts and who needs somebody`() throws {
    let dialect = PlainDialect(topics: TopicTree(base: "m", gateway: "gw"))
    let messages = dialect.messages(for: .rollout(Self.report))
    #expect(messages.map(\.message.topic) == ["m/gateway/gw/rollout/fw-173"])
    #expect(messages[0].message.isRetained)
    #expect(
      try object(messages[0].message.payload) == [
        "ts_ms": 9, "gw": "gw", "rollout": "fw-173", "group": "pumps", "version": "1.7.3", "phase": "aborted",
        "paused": false, "reason": "1 board waits", "total": 3, "done": 1, "failed": 0, "stranded": 1,
        "pending": 0, "running": 0, "skipped": 0, "refused": 1, "per_hour": 5, "began_ms": 4,
        "not_done": [["board": "e5a1c2d3f4b6", "state": "stranded", "reason": "it answers no more"]],
      ])
    let cleared = dialect.messages(for: .rolloutForgotten("fw-173")).map(\.message)
    #expect(cleared.map(\.topic) == ["m/gateway/gw/rollout/fw-173"] && cleared[0].payload.isEmpty)
  }

  @Test func `no document grows with the fleet`() {
    var report = Self.report
    report = RolloutReport(
      id: "a", group: "b", version: "1", phase: .rolling, isPaused: false, reason: nil, counts: [:],
      perHour: 1, next: nil, began: report.began, rows: (0..<500).map { _ in .init(.example, .waiting) },
      time: report.time)
    #expect(report.rows.count == 100)
  }

  @Test func `a reader has the rollouts of a gateway by their ids, and knows whose a topic is`() throws {
    var view = FleetView(base: "m", scope: .everything)
    #expect(view.filters.contains("m/gateway/+/rollout/+"))
    let text = #"{"rollout":"fw-1","phase":"rolling","not_done":[5,{"board":"e5a1c2d3f4b6","state":"odd"}]}"#
    view.apply(topic: "m/gateway/gw/rollout/fw-1", payload: Array(text.utf8))
    let document = try #require(view.gateways["gw"]?.rollouts["fw-1"])
    #expect(document[.phase] == "rolling" && document.rows.map { $0[.state] } == ["odd"])
    view.apply(topic: "m/gateway/gw/rollout/fw-1", payload: [])
    #expect(view.gateways.isEmpty)
    #expect(
      TopicTree(ofGatewayDocument: "m/gateway/gw/rollout/fw-1") == TopicTree(base: "m", gateway: "gw"))
  }
}
