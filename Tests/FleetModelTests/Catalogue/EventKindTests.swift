import FleetModel
import Testing

@Suite struct EventKindTests {
  /// MQTT contract 5, as far as these kinds go: kind, types, fields.
  private static let contract: [(String, [String], [String])] = [
    ("button", ["press", "release"], ["held_ms"]),
    ("motion", ["any", "slow", "none", "significant", "low-g", "high-g"], ["detector", "axis", "sign"]),
    ("tap", ["single", "double"], ["detector", "axis", "sign"]),
    (
      "orientation",
      [
        "face-up-portrait", "face-up-portrait-inverted", "face-up-landscape-left", "face-up-landscape-right",
        "face-down-portrait", "face-down-portrait-inverted", "face-down-landscape-left",
        "face-down-landscape-right",
      ], ["detector", "index"]
    ),
    ("flat", ["flat", "tilted"], ["detector", "face"]), ("step", ["step"], ["detector"]),
    ("activity", ["still", "walking", "running", "unknown"], ["detector"]),
    (
      "wrist", ["push-down", "pivot-up", "shake", "flick-in", "flick-out", "unknown", "wake-up"],
      ["detector", "code"]
    ),
    ("magnetic", ["low", "high"], ["detector", "axis"]), ("gpio", ["rising", "falling"], ["pin"]),
    ("power", ["on", "off"], []), ("charge", ["on", "off"], []),
    ("reset", ["unexpected", "commanded"], ["boot", "reset_uid"]),
    ("data-gap", ["stream", "log"], ["stream", "session", "from_ms", "to_ms", "count", "reason", "cause"]),
    ("link-lost", ["lost", "flapping"], ["reason", "adapter"]),
    ("link-up", ["up"], ["reason", "adapter"]),
    ("low-battery", ["low", "critical"], ["battery_pct", "battery_mv"]),
    ("stream-silent", ["silent", "recovered"], ["stream"]),
    (
      "stream-rate", ["missing", "slow", "fast", "doubled", "recovered"],
      ["stream", "expected", "came", "lost", "doubled"]
    ),
    ("data-quality", ["impossible-value", "recovered"], ["stream", "session", "field", "value", "count"]),
    (
      "log-downloaded", ["complete", "short"],
      [
        "session", "entries_expected", "entries_stored", "samples", "entries_lost", "undecoded", "doubled",
        "streams",
      ]
    ),
    ("log-level", ["warning", "alarm", "full", "wrapped"], ["log_used_pct", "log_full_ms"]),
    ("unknown-logger", ["found", "undecoded"], ["session", "slots", "entries"]),
    ("foreign-change", ["changed", "conflict"], ["resources"]),
    ("contact-missed", ["missed"], ["due_ms", "late_s", "poll"]),
    ("identity", ["changed", "mismatch", "restored"], ["changed", "was", "is", "wanted"]),
    ("maintenance", ["started", "ended", "expired"], ["until_ms", "reason", "who"]),
    ("clock", ["ambiguous", "jump", "unset", "synced"], ["boot", "jump_ms"]),
    ("retained-command", ["refused"], ["verb", "id", "target"]),
    ("denied-command", ["refused"], ["verb", "id", "target"]),
    (
      "adapter-reset", ["power", "scan", "bluetoothd", "usb", "skipped", "exhausted"],
      ["adapter", "reason", "step"]
    ),
    ("replay", ["started", "finished"], ["from_ms", "to_ms", "messages"]),
    ("board-discovered", ["new", "bootloader"], ["board", "name", "rssi_dbm", "model", "reason"]),
    ("board-admitted", ["admitted"], ["board", "by"]),
    ("board-forgotten", ["forgotten", "blocked", "expired"], ["board", "by"]),
    (
      "adapter", ["lost", "returned", "blocked", "failed", "forgotten"],
      ["adapter", "name", "reason", "reason_code", "by"]
    ),
    ("bluetooth", ["lost", "restored"], ["reason"]),
    ("broker-lost", ["lost", "taken-over"], ["reason", "outage_s"]),
    ("broker-restored", ["restored"], ["reason", "outage_s"]),
    (
      "storage", ["low", "full", "read-only", "locked", "slow", "being-read", "corrupt", "recovered"],
      ["free_bytes"]
    ),
    ("storage-full", ["low", "full", "read-only", "corrupt", "recovered"], ["free_bytes"]),
    ("kept-streams", ["cut", "dropped", "recovered"], ["samples", "oldest_ms"]),
    ("certificate", ["expiring", "expired"], ["days"]),
    ("publish-refused", ["not-authorised", "quota", "too-large"], ["topic", "reason_code", "rows"]),
    ("retained-changed", ["cleared", "altered"], ["topic", "count"]),
    (
      "config", ["applied", "failed", "drifted", "reloaded", "rejected"],
      ["differences", "reason_code", "problems", "changed", "needs_restart"]
    ),
    (
      "firmware", ["available", "failed", "recovered", "started", "updated", "rescued", "bootloader"],
      [
        "installed_version", "latest_version", "index", "attempts", "image_sha256", "bootloader_version",
      ]
    ),
    (
      "process", ["started", "draining", "crashed"], ["reason", "signal", "status", "ended_ms", "count"]
    ),
    (
      "rollout", ["started", "soaking", "rolling", "paused", "resumed", "done", "aborted", "expired"],
      ["id", "group", "version", "total", "done", "failed", "stranded"]
    ),
  ]

  @Test(arguments: contract)
  func `is declared as in the contract`(name: String, types: [String], fields: [String]) throws {
    let kind = try #require(EventKind(rawValue: name))
    #expect(kind.types == types)
    #expect(kind.fields == fields)
  }

  @Test func `nothing else is declared`() {
    #expect(Set(EventKind.allCases.map(\.rawValue)) == Set(Self.contract.map(\.0)))
  }

  @Test(arguments: EventKind.allCases)
  func `fits a topic level`(kind: EventKind) {
    #expect(
      kind.rawValue.utf8.allSatisfy {
        $0 == UInt8(ascii: "-") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
      })
  }
}
