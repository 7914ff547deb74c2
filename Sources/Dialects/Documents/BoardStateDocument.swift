package import FleetModel

/// The `state` document of a board (MQTT contract 1.3).
package struct BoardStateDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  init(_ state: BoardState, gateway: String) {
    self.init {
      $0[.time] = state.time
      $0[.board] = state.board
      $0[.gateway] = gateway
      $0[.link] = state.link
      $0[.reason] = state.reason?.sentence
      $0[.reasonCode] = state.reason?.code
      if state.reason != nil {
        $0[.since] = state.hindrance.since
        $0[.until] = state.hindrance.until
      }
      $0[.adapter] = state.adapter?.description
      $0[.rssi] = state.rssi
      $0[.batteryPercent] = state.battery.percent
      $0[.batteryMillivolts] = state.battery.millivolts
      $0[.batteryTime] = state.battery.time
      $0[.isCharging] = state.battery.isCharging
      $0[.logUsedPercent] = state.log.usedPercent
      $0[.logEntries] = state.log.entries
      $0[.logFull] = state.log.full
      $0[.lastSeen] = state.contact.lastSeen
      $0[.lastSession] = state.contact.lastSession
      $0[.nextContact] = state.contact.next
      $0[.sessions] = state.lastDay.sessions
      $0[.sessionFailures] = state.lastDay.sessionFailures
      $0[.samplesLost] = state.lastDay.samplesLost
      $0[.commandsWaiting] = state.orders.commandsWaiting
      $0[.maintenanceUntil] = state.orders.maintenance?.until
      $0[.maintenanceReason] = state.orders.maintenance?.reason
      $0[.maintenanceWho] = state.orders.maintenance?.who
      $0[.clockError] = state.clock.error
      $0[.clockDrift] = state.clock.drift
      $0[.boot] = state.clock.boot
      $0[.isInSync] = state.isInSync
      $0[.firmware] = state.identity.firmware
      let trouble = StreamTrouble.reason(state.troubles)
      $0[.streamReason] = trouble?.sentence
      $0[.streamReasonCode] = trouble?.code
      $0[.identityReason] = state.identity.doubt?.sentence
      $0[.identityReasonCode] = state.identity.doubt?.code
    }
  }
}

extension DocumentField where Document == BoardStateDocument, Value == Timestamp {
  package static var time: Self { .init("ts_ms") }
  package static var batteryTime: Self { .init("battery_ms") }
  package static var logFull: Self { .init("log_full_ms") }
  package static var lastSeen: Self { .init("last_seen_ms") }
  package static var lastSession: Self { .init("last_session_ms") }
  package static var nextContact: Self { .init("next_contact_ms") }
  /// Since when the reason's code is what it is, and when that ends by itself.
  package static var since: Self { .init("since_ms") }
  package static var until: Self { .init("until_ms") }
  package static var maintenanceUntil: Self { .init("maintenance_until_ms") }
}

extension DocumentField where Document == BoardStateDocument, Value == BoardID {
  package static var board: Self { .init("board") }
}

extension DocumentField where Document == BoardStateDocument, Value == LinkPhase {
  package static var link: Self { .init("link") }
}

extension DocumentField where Document == BoardStateDocument, Value == ReasonCode {
  package static var reasonCode: Self { .init("reason_code") }
  package static var streamReasonCode: Self { .init("stream_reason_code") }
  package static var identityReasonCode: Self { .init("identity_reason_code") }
}

extension DocumentField where Document == BoardStateDocument, Value == String {
  package static var gateway: Self { .init("gw") }
  /// The phase as it was written, also one that this version does not know.
  package static var linkWord: Self { .init("link") }
  package static var reason: Self { .init("reason") }
  /// Its address without separators.
  package static var adapter: Self { .init("adapter") }
  package static var firmware: Self { .init("fw") }
  package static var streamReason: Self { .init("stream_reason") }
  package static var identityReason: Self { .init("identity_reason") }
  /// In the words of who ordered it; as it came, so never printed unescaped, as is the next one.
  package static var maintenanceReason: Self { .init("maintenance_reason") }
  /// Who ordered it, as that sender says.
  package static var maintenanceWho: Self { .init("maintenance_who") }
  /// The code as it was written, also one that this version does not know.
  package static var streamReasonWord: Self { .init("stream_reason_code") }
}

extension DocumentField where Document == BoardStateDocument, Value == Int {
  /// In dBm.
  package static var rssi: Self { .init("rssi_dbm") }
  package static var batteryPercent: Self { .init("battery_pct") }
  package static var batteryMillivolts: Self { .init("battery_mv") }
  package static var logEntries: Self { .init("log_entries") }
  /// Counted over 24 hours, as the two that follow.
  package static var sessions: Self { .init("sessions_24h") }
  package static var sessionFailures: Self { .init("session_fail_24h") }
  package static var samplesLost: Self { .init("samples_lost_24h") }
  package static var commandsWaiting: Self { .init("commands_waiting") }
  package static var boot: Self { .init("boot") }
}

extension DocumentField where Document == BoardStateDocument, Value == Double {
  package static var logUsedPercent: Self { .init("log_used_pct") }
  /// In milliseconds.
  package static var clockError: Self { .init("clock_err_ms") }
  /// In parts per million.
  package static var clockDrift: Self { .init("drift_ppm") }
}

extension DocumentField where Document == BoardStateDocument, Value == Bool {
  package static var isCharging: Self { .init("charging") }
  package static var isInSync: Self { .init("in_sync") }
}
