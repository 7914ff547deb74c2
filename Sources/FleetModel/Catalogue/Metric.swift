/// Every number of the gateway's health, declared once (MQTT contract 1.6).
public enum Metric: String, Sendable, CaseIterable {
  case uptime = "uptime_s"
  case boardsAdmitted = "boards_admitted"
  case boardsConnected = "boards_connected"
  case boardsTroubled = "boards_troubled"
  case boardsInMaintenance = "boards_in_maintenance"
  case slotsUsed = "slots_used"
  case slotsTotal = "slots_total"
  case sessionsOK = "sessions_ok"
  case sessionsFailed = "sessions_failed"
  case samplesIn = "samples_in"
  case samplesPublished = "samples_published"
  case samplesDropped = "samples_dropped"
  case samplesImpossible = "samples_impossible"
  case samplesLost = "samples_lost"
  case packetsDoubled = "packets_doubled"
  case contactsMissed = "contacts_missed"
  case outboxMessages = "outbox_msgs"
  case outboxBytes = "outbox_bytes"
  case outboxOldest = "outbox_oldest_s"
  case refusedMessages = "outbox_refused_msgs"
  case refusedOldest = "outbox_refused_oldest_s"
  case retainedRepaired = "retained_repaired"
  case liveDropped = "live_dropped"
  case adapterResets = "adapter_resets"
  case bluetoothdRestarts = "bluetoothd_restarts"
  case usbResets = "usb_resets"
  case discoveriesSuppressed = "discoveries_suppressed"
  case commandsOK = "commands_ok"
  case commandsFailed = "commands_failed"
  case clockSynced = "clock_synced"
  case residentMemory = "rss_bytes"
  case processorTime = "cpu_s"
  case storageFree = "storage_free_bytes"
  case bluetoothOK = "bluetooth_ok"
  case storageOK = "storage_ok"
  case firmwareCheckOK = "firmware_check_ok"
  case firmwareIndexAge = "firmware_index_age_s"
  case boardsOutdated = "boards_outdated"
  case boardsUpdating = "boards_updating"
  case boardsInBootloader = "boards_in_bootloader"
  case rolloutsActive = "rollouts_active"
  case rolloutPending = "rollout_pending"
  case rolloutFailed = "rollout_failed"
  case updatesOK = "firmware_updates_ok"
  case updatesFailed = "firmware_updates_failed"
  case keptSamples = "kept_samples"
  case keptBytes = "kept_bytes"
  case keptOldest = "kept_oldest_s"
  case keptDropped = "kept_dropped"
  case keptOK = "kept_ok"
  case alarmsCritical = "alarms_critical"
  case alarmsWarning = "alarms_warning"
  case alarmsInfo = "alarms_info"
  case alarmsUnacknowledged = "alarms_unacknowledged"

  /// Where it is counted; nil where it is looked up.
  public var counter: Counters.Name? {
    switch self {
    case .sessionsOK: .sessionsOK
    case .sessionsFailed: .sessionsFailed
    case .samplesIn: .samplesIn
    case .samplesPublished: .samplesPublished
    case .samplesDropped: .samplesDropped
    case .samplesImpossible: .samplesImpossible
    case .samplesLost: .samplesLost
    case .packetsDoubled: .packetsDoubled
    case .contactsMissed: .contactsMissed
    case .updatesOK: .updatesOK
    case .updatesFailed: .updatesFailed
    case .adapterResets: .adapterResets
    case .bluetoothdRestarts: .bluetoothdRestarts
    case .usbResets: .usbResets
    case .discoveriesSuppressed: .discoveriesSuppressed
    case .commandsOK: .commandsOK
    case .commandsFailed: .commandsFailed
    case .keptDropped: .keptDropped
    case .retainedRepaired: .retainedRepaired
    case .liveDropped: .liveDropped
    case .uptime, .boardsAdmitted, .boardsConnected, .boardsTroubled, .boardsInMaintenance, .slotsUsed,
      .slotsTotal, .outboxMessages, .outboxBytes, .outboxOldest, .refusedMessages, .refusedOldest,
      .clockSynced, .residentMemory,
      .processorTime, .storageFree, .bluetoothOK, .storageOK, .firmwareCheckOK, .firmwareIndexAge,
      .boardsOutdated, .boardsUpdating, .boardsInBootloader, .rolloutsActive, .rolloutPending, .rolloutFailed,
      .keptSamples, .keptBytes, .keptOldest, .keptOK,
      .alarmsCritical, .alarmsWarning,
      .alarmsInfo, .alarmsUnacknowledged:
      nil
    }
  }
}
