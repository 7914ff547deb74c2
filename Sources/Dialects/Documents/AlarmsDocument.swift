package import FleetModel

/// The `alarms` document of a gateway (MQTT contract 1.9).
package struct AlarmsDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  init(_ report: AlarmReport, gateway: String) {
    self.init {
      $0[.time] = report.time
      $0[.gateway] = gateway
      $0[.count] = report.count
      for severity in AlarmSeverity.allCases { $0[.count(of: severity)] = report.counts[severity] ?? 0 }
      $0[.unacknowledged] = report.unacknowledged
      $0[.alarms] = report.alarms.map { AlarmEntry($0).json }
    }
  }

  /// The alarms that are listed, the gravest first.
  package var entries: [AlarmEntry] { (self[.alarms] ?? []).map(AlarmEntry.init) }
}

extension DocumentField where Document == AlarmsDocument, Value == Timestamp {
  package static var time: Self { .init("ts_ms") }
}

extension DocumentField where Document == AlarmsDocument, Value == String {
  package static var gateway: Self { .init("gw") }
}

extension DocumentField where Document == AlarmsDocument, Value == Int {
  /// How many there are, listed or not.
  package static var count: Self { .init("count") }
  package static func count(of severity: AlarmSeverity) -> Self { .init(severity.rawValue) }
  package static var unacknowledged: Self { .init("unacknowledged") }
}

extension DocumentField where Document == AlarmsDocument, Value == [JSONObject] {
  /// See `AlarmEntry`.
  package static var alarms: Self { .init("alarms") }
}

/// One alarm in the document `alarms`.
package struct AlarmEntry: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  init(_ alarm: Alarm) {
    self.init {
      $0[.id] = alarm.id.description
      $0[.code] = alarm.id.code.rawValue
      $0[.severity] = alarm.severity.rawValue
      $0[.since] = alarm.since
      switch alarm.id.subject {
      case .gateway: break
      case .board(let board): $0[.board] = board.description
      case .adapter(let adapter): $0[.adapter] = adapter.description
      }
      $0[.name] = alarm.name
      $0[.text] = alarm.sentence
      $0[.reasonCode] = alarm.reason
      $0[.isAcknowledged] = alarm.acknowledgement != nil
      $0[.acknowledged] = alarm.acknowledgement?.time
      $0[.acknowledgedBy] = alarm.acknowledgement?.who
    }
  }
}

extension DocumentField where Document == AlarmEntry, Value == Timestamp {
  package static var since: Self { .init("since_ms") }
  package static var acknowledged: Self { .init("acknowledged_ms") }
}

extension DocumentField where Document == AlarmEntry, Value == Bool {
  package static var isAcknowledged: Self { .init("acknowledged") }
}

extension DocumentField where Document == AlarmEntry, Value == ReasonCode {
  package static var reasonCode: Self { .init("reason_code") }
}

extension DocumentField where Document == AlarmEntry, Value == String {
  package static var id: Self { .init("id") }
  package static var code: Self { .init("code") }
  package static var severity: Self { .init("severity") }
  package static var board: Self { .init("board") }
  package static var adapter: Self { .init("adapter") }
  /// Of the board or adapter; as it came, so never printed unescaped.
  package static var name: Self { .init("name") }
  /// What is the matter, and what to do.
  package static var text: Self { .init("text") }
  package static var acknowledgedBy: Self { .init("acknowledged_by") }
}
