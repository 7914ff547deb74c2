package import FleetModel

/// What `/metrics` says of each board by itself; its raw value is the name behind `metafleet_board_`.
package enum BoardGauge: String, Sendable, CaseIterable {
  case online
  case connected
  case trouble
  case needsAttention = "needs_attention"
  case isInMaintenance = "in_maintenance"
  case inSync = "in_sync"
  case signal = "rssi_dbm"
  case battery = "battery_ratio"
  case batteryVoltage = "battery_volts"
  case logUsed = "log_used_ratio"
  case commandsWaiting = "commands_waiting"
  case sessionFailures = "session_failures_last_day"
  case samplesLost = "samples_lost_last_day"
  case clockError = "clock_error_seconds"
  case lastSeen = "last_seen_timestamp_seconds"
  case nextContact = "next_contact_timestamp_seconds"

  /// What it measures, in a sentence without its full stop.
  package var summary: String {
    switch self {
    case .online: "Whether the board can be counted on, as its availability says"
    case .connected: "Whether there is a connection to the board"
    case .trouble: "Whether something is said against the board or its streams"
    case .needsAttention:
      "Whether somebody should look after the board: disabled ones, and those in maintenance, need nobody"
    case .isInMaintenance: "Whether the board is being worked on"
    case .inSync: "Whether the board does what is desired of it"
    case .signal: "Signal strength of the last advertisement"
    case .battery: "Charge of the battery as it was last read"
    case .batteryVoltage: "Voltage of the battery as it was last read"
    case .logUsed: "How full the board's log is, estimated between visits"
    case .commandsWaiting: "Commands that wait for the board"
    case .sessionFailures: "Connections to the board that failed in the last 24 hours"
    case .samplesLost: "Samples known to be lost in the last 24 hours"
    case .clockError: "Stated error of the newest time stamps"
    case .lastSeen: "When an advertisement or a packet was last received, in seconds since 1970"
    case .nextContact: "When silence becomes suspicious, in seconds since 1970"
    }
  }

  /// Its value; nil where nothing is known.
  package func value(of board: FleetSnapshot.Board) -> Double? {
    let state = board.state
    return switch self {
    case .online: board.availability.map { $0.state == .online ? 1 : 0 }
    case .connected: state.map { $0.link.isConnected ? 1 : 0 }
    case .trouble: state.map { _ in BoardStatusLine(board).isTrouble ? 1 : 0 }
    case .needsAttention: state.map { $0.isInTrouble ? 1 : 0 }
    case .isInMaintenance: state.map { $0.orders.maintenance == nil ? 0 : 1 }
    case .inSync: state?.isInSync.map { $0 ? 1 : 0 }
    case .signal: state?.rssi.map(Double.init)
    case .battery: state?.battery.percent.map { Double($0) / 100 }
    case .batteryVoltage: state?.battery.millivolts.map { Double($0) / 1_000 }
    case .logUsed: state?.log.usedPercent.map { $0 / 100 }
    case .commandsWaiting: state.map { Double($0.orders.commandsWaiting) }
    case .sessionFailures: state.map { Double($0.lastDay.sessionFailures) }
    case .samplesLost: state.map { Double($0.lastDay.samplesLost) }
    case .clockError: state?.clock.error.map { $0 / 1_000 }
    case .lastSeen: state?.contact.lastSeen.map(\.seconds)
    case .nextContact: state?.contact.next.map(\.seconds)
    }
  }
}

extension Timestamp {
  /// Since 1970.
  fileprivate var seconds: Double { Double(milliseconds) / 1_000 }
}
