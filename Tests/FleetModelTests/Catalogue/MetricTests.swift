import FleetModel
import Testing

@Suite struct MetricTests {
  /// MQTT contract 1.6.
  private static let contract: Set = [
    "uptime_s", "boards_admitted", "boards_connected", "boards_troubled", "boards_in_maintenance",
    "slots_used", "slots_total", "sessions_ok",
    "sessions_failed", "samples_in", "samples_published", "samples_dropped", "samples_impossible",
    "samples_lost", "packets_doubled", "contacts_missed", "outbox_msgs", "outbox_bytes", "outbox_oldest_s",
    "outbox_refused_msgs", "outbox_refused_oldest_s", "retained_repaired", "live_dropped", "adapter_resets",
    "bluetoothd_restarts", "usb_resets", "discoveries_suppressed",
    "commands_ok", "commands_failed", "clock_synced", "rss_bytes", "cpu_s", "storage_free_bytes",
    "bluetooth_ok", "storage_ok", "firmware_check_ok", "firmware_index_age_s", "boards_outdated",
    "boards_updating", "boards_in_bootloader", "rollouts_active", "rollout_pending", "rollout_failed",
    "firmware_updates_ok", "firmware_updates_failed",
    "kept_samples", "kept_bytes", "kept_oldest_s", "kept_dropped", "kept_ok",
    "alarms_critical", "alarms_warning", "alarms_info", "alarms_unacknowledged",
  ]

  @Test func `the numbers of health are those of the contract`() {
    #expect(Set(Metric.allCases.map(\.rawValue)) == Self.contract)
  }

  @Test func `on the page of metrics they have base units, and a suffix where they only grow`() {
    let names: [Metric: String] = [
      .uptime: "uptime_seconds", .processorTime: "cpu_seconds_total", .residentMemory: "rss_bytes",
      .outboxOldest: "outbox_oldest_seconds", .samplesIn: "samples_in_total", .slotsTotal: "slots",
      .boardsAdmitted: "boards_admitted",
    ]
    for (metric, name) in names { #expect(metric.exposedName == name) }
    for metric in Metric.allCases {
      #expect(metric.exposedName.hasSuffix("_total") == metric.isCounter, "\(metric)")
      #expect(metric.exposed(2) == 2 && !metric.summary.isEmpty, "\(metric)")
    }
    #expect(Set(Metric.allCases.map(\.exposedName)).count == Metric.allCases.count)
  }

  @Test func `units that are no base units are converted`() {
    #expect(ExposedUnit.name(of: "drift_ms") == "drift_seconds" && ExposedUnit.scale(of: "drift_ms") == 0.001)
    #expect(ExposedUnit.name(of: "log_used_pct") == "log_used_ratio")
    #expect(ExposedUnit.name(of: "boards") == "boards" && ExposedUnit.scale(of: "boards") == 1)
  }
}
