import FleetModel
import Testing

@Suite struct MetricTests {
  /// MQTT contract 1.6.
  private static let contract: Set = [
    "uptime_s", "boards_admitted", "boards_connected", "boards_troubled", "boards_in_maintenance",
    "slots_used", "slots_total", "sessions_ok",
    "sessions_failed", "samples_in", "samples_published", "samples_dropped", "samples_impossible",
    "samples_lost", "packets_doubled", "contacts_missed", "outbox_msgs", "outbox_bytes", "outbox_oldest_s",
    "adapter_resets",
    "bluetoothd_restarts", "usb_resets", "discoveries_suppressed",
    "commands_ok", "commands_failed", "clock_synced", "rss_bytes", "cpu_s", "storage_free_bytes",
    "bluetooth_ok", "storage_ok", "firmware_check_ok", "firmware_index_age_s", "boards_outdated",
  ]

  @Test func `the numbers of health are those of the contract`() {
    #expect(Set(Metric.allCases.map(\.rawValue)) == Self.contract)
  }
}
