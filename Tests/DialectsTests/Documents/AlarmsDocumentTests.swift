import FleetModel
import Testing

@testable import Dialects

@Suite struct AlarmsDocumentTests {
  @Test func `the gateway's alarms are one retained document, with what programs and people go by`() throws {
    var low = Alarm(
      .init(.batteryLow, .board(.example)), since: Timestamp(milliseconds: 5), sentence: "charge it",
      name: "Pump 3", reason: .silent)
    low.acknowledgement = .init(at: Timestamp(milliseconds: 8), by: "anna")
    let full = Alarm(.init(.storageFull), since: Timestamp(milliseconds: 6), sentence: "free space")
    let dialect = PlainDialect(topics: TopicTree(base: "m", gateway: "gw"))
    let report = AlarmReport([low, full], at: Timestamp(milliseconds: 9))
    let messages = dialect.messages(for: .alarms(report))
    #expect(messages.map(\.message.topic) == ["m/gateway/gw/alarms"] && messages[0].message.isRetained)
    #expect(
      try object(messages[0].message.payload) == [
        "ts_ms": 9, "gw": "gw", "count": 2, "critical": 1, "warning": 1, "info": 0, "unacknowledged": 1,
        "alarms": [
          [
            "id": "storage-full", "code": "storage-full", "severity": "critical", "since_ms": 6,
            "text": "free space", "acknowledged": false,
          ],
          [
            "id": "battery-low.e5a1c2d3f4b6", "code": "battery-low", "severity": "warning", "since_ms": 5,
            "board": "e5a1c2d3f4b6", "name": "Pump 3", "text": "charge it", "reason_code": "silent",
            "acknowledged": true, "acknowledged_ms": 8, "acknowledged_by": "anna",
          ],
        ],
      ])
  }

  @Test func `a reader takes what another version wrote, as far as it can`() throws {
    var view = FleetView(base: "m", scope: .everything)
    #expect(view.filters.contains("m/gateway/+/alarms"))
    let text = #"{"count":"x","alarms":[5,{"id":"a","severity":"odd","since_ms":7}]}"#
    view.apply(topic: "m/gateway/gw/alarms", payload: Array(text.utf8))
    let document = try #require(view.gateways["gw"]?.alarms)
    #expect(document[.count] == nil && document.entries.map { $0[.since]?.milliseconds } == [7])
    view.apply(topic: "m/gateway/gw/alarms", payload: [])
    #expect(view.gateways.isEmpty)
  }
}
