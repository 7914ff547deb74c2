package import FleetModel

/// The retained document of a rollout of firmware (MQTT contract 4.3).
package struct RolloutDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  init(_ report: RolloutReport, gateway: String) {
    self.init {
      $0[.time] = report.time
      $0[.gateway] = gateway
      $0[.id] = report.id
      $0[.group] = report.group
      $0[.version] = report.version
      $0[.phase] = report.phase.rawValue
      $0[.isPaused] = report.isPaused
      $0[.reason] = report.reason
      for count in RolloutCount.allCases { $0[.count(count)] = report.counts[count] ?? 0 }
      $0[.perHour] = report.perHour
      $0[.next] = report.next
      $0[.began] = report.began
      $0[.notDone] = report.rows.map { RolloutRow($0).json }
    }
  }

  /// Boards that do not have the firmware, as far as they are listed.
  package var rows: [RolloutRow] { (self[.notDone] ?? []).map(RolloutRow.init) }
}

extension DocumentField where Document == RolloutDocument, Value == Timestamp {
  package static var time: Self { .init("ts_ms") }
  package static var began: Self { .init("began_ms") }
  /// When the next thing happens by itself.
  package static var next: Self { .init("next_ms") }
}

extension DocumentField where Document == RolloutDocument, Value == String {
  package static var gateway: Self { .init("gw") }
  package static var id: Self { .init("rollout") }
  package static var group: Self { .init("group") }
  package static var version: Self { .init("version") }
  package static var phase: Self { .init("phase") }
  package static var reason: Self { .init("reason") }
}

extension DocumentField where Document == RolloutDocument, Value == Bool {
  package static var isPaused: Self { .init("paused") }
}

extension DocumentField where Document == RolloutDocument, Value == Int {
  package static func count(_ count: RolloutCount) -> Self { .init(count.rawValue) }
  package static var perHour: Self { .init("per_hour") }
}

extension DocumentField where Document == RolloutDocument, Value == [JSONObject] {
  /// See `RolloutRow`.
  package static var notDone: Self { .init("not_done") }
}

/// A board of a rollout that does not have the firmware.
package struct RolloutRow: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  init(_ row: RolloutReport.Row) {
    self.init {
      $0[.board] = row.board.description
      $0[.state] = row.state.rawValue
      $0[.reason] = row.reason
    }
  }
}

extension DocumentField where Document == RolloutRow, Value == String {
  package static var board: Self { .init("board") }
  package static var state: Self { .init("state") }
  package static var reason: Self { .init("reason") }
}
