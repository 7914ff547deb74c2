import FleetModel
import Testing

@Suite struct MetricTests {
  /// MQTT contract 1.6: field, counter, name on the Prometheus page.
  private static let contract: [(String, Bool, String)] = [
    ("uptime_s", false, "uptime_seconds"), ("boards_admitted", false, "boards_admitted"),
    ("boards_connected", false, "boards_connected"), ("slots_used", false, "slots_used"),
    ("slots_total", false, "slots_total"), ("sessions_ok", true, "sessions_ok_total"),
    ("sessions_failed", true, "sessions_failed_total"), ("samples_in", true, "samples_in_total"),
    ("samples_published", true, "samples_published_total"),
    ("samples_dropped", true, "samples_dropped_total"),
    ("samples_impossible", true, "samples_impossible_total"),
    ("samples_lost", true, "samples_lost_total"), ("packets_doubled", true, "packets_doubled_total"),
    ("outbox_msgs", false, "outbox_msgs"),
    ("outbox_bytes", false, "outbox_bytes"), ("outbox_oldest_s", false, "outbox_oldest_seconds"),
    ("adapter_resets", true, "adapter_resets_total"), ("commands_ok", true, "commands_ok_total"),
    ("commands_failed", true, "commands_failed_total"), ("clock_synced", false, "clock_synced"),
    ("rss_bytes", false, "rss_bytes"), ("cpu_s", true, "cpu_seconds_total"),
    ("storage_free_bytes", false, "storage_free_bytes"), ("bluetooth_ok", false, "bluetooth_ok"),
    ("storage_ok", false, "storage_ok"),
  ]

  @Test(arguments: contract)
  func isNamedAsInTheContract(field: String, isCounter: Bool, page: String) throws {
    let metric = try #require(Metric(rawValue: field))
    #expect(metric.isCounter == isCounter)
    #expect(metric.prometheusName == page)
  }

  @Test func nothingElseIsDeclared() {
    #expect(Set(Metric.allCases.map(\.rawValue)) == Set(Self.contract.map(\.0)))
  }
}
