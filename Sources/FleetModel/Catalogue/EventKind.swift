/// Every kind of event, declared once: its topic level, its types and its fields (MQTT contract 5).
public enum EventKind: String, Sendable, CaseIterable {
  // Of boards.
  case button, motion, tap, orientation, flat, step, activity, wrist, magnetic, gpio, power, charge, reset
  case dataGap = "data-gap"
  case linkLost = "link-lost"
  case linkUp = "link-up"
  case lowBattery = "low-battery"
  case streamSilent = "stream-silent"
  case streamRate = "stream-rate"
  case dataQuality = "data-quality"
  case logDownloaded = "log-downloaded"
  case logLevel = "log-level"
  case unknownLogger = "unknown-logger"
  case foreignChange = "foreign-change"
  case contactMissed = "contact-missed"
  case identity, maintenance
  // Of boards and gateways.
  case retainedCommand = "retained-command"
  case deniedCommand = "denied-command"
  case config
  case clock
  case firmware
  // Of gateways.
  case boardDiscovered = "board-discovered"
  case boardAdmitted = "board-admitted"
  case boardForgotten = "board-forgotten"
  case adapterReset = "adapter-reset"
  case adapter, bluetooth
  case brokerLost = "broker-lost"
  case brokerRestored = "broker-restored"
  case storage
  /// The older name of `storage`; goes with the next version.
  case storageFull = "storage-full"
  case keptStreams = "kept-streams"
  case publishRefused = "publish-refused"
  case retainedChanged = "retained-changed"
  case certificate
  case replay
  case process
  case rollout

  /// What `event_type` may say.
  public var types: [String] {
    switch self {
    case .button: ["press", "release"]
    case .motion: ["any", "slow", "none", "significant", "low-g", "high-g"]
    case .tap: ["single", "double"]
    case .orientation:
      ["face-up-", "face-down-"].flatMap { face in
        ["portrait", "portrait-inverted", "landscape-left", "landscape-right"].map { face + $0 }
      }
    case .flat: ["flat", "tilted"]
    case .step: ["step"]
    case .activity: ["still", "walking", "running", "unknown"]
    case .wrist: ["push-down", "pivot-up", "shake", "flick-in", "flick-out", "unknown", "wake-up"]
    case .magnetic: ["low", "high"]
    case .gpio: ["rising", "falling"]
    case .power, .charge: ["on", "off"]
    case .reset: ["unexpected", "commanded"]
    case .dataGap: ["stream", "log"]
    case .linkLost: ["lost", "flapping"]
    case .linkUp: ["up"]
    case .lowBattery: ["low", "critical"]
    case .streamSilent: ["silent", "recovered"]
    case .streamRate: ["missing", "slow", "fast", "doubled", "recovered"]
    case .dataQuality: ["impossible-value", "recovered"]
    case .logDownloaded: ["complete", "short"]
    case .logLevel: ["warning", "alarm", "full", "wrapped"]
    case .unknownLogger: ["found", "undecoded"]
    case .foreignChange: ["changed", "conflict"]
    case .contactMissed: ["missed"]
    case .identity: ["changed", "mismatch", "restored"]
    case .maintenance: ["started", "ended", "expired"]
    case .clock: ["ambiguous", "jump", "unset", "synced"]
    case .firmware: ["available", "failed", "recovered", "started", "updated", "rescued", "bootloader"]
    case .retainedCommand, .deniedCommand: ["refused"]
    case .boardDiscovered: ["new", "bootloader"]
    case .boardAdmitted: ["admitted"]
    case .boardForgotten: ["forgotten", "blocked", "expired"]
    case .adapterReset: ["power", "scan", "bluetoothd", "usb", "skipped", "exhausted"]
    case .replay: ["started", "finished"]
    case .adapter: ["lost", "returned", "blocked", "failed", "forgotten"]
    case .bluetooth: ["lost", "restored"]
    case .brokerLost: ["lost", "taken-over"]
    case .brokerRestored: ["restored"]
    case .storage: ["low", "full", "read-only", "locked", "slow", "being-read", "corrupt", "recovered"]
    case .storageFull: ["low", "full", "read-only", "corrupt", "recovered"]
    case .keptStreams: ["cut", "dropped", "recovered"]
    case .publishRefused: ["not-authorised", "quota", "too-large"]
    case .retainedChanged: ["cleared", "altered"]
    case .certificate: ["expiring", "expired"]
    case .config: ["applied", "failed", "drifted", "reloaded", "rejected"]
    case .process: ["started", "draining", "crashed"]
    case .rollout: ["started", "soaking", "rolling", "paused", "resumed", "done", "aborted", "expired"]
    }
  }

  /// Fields beside the common ones.
  public var fields: [String] {
    switch self {
    case .button: ["held_ms"]
    case .motion, .tap: ["detector", "axis", "sign"]
    case .orientation: ["detector", "index"]
    case .flat: ["detector", "face"]
    case .step, .activity: ["detector"]
    case .wrist: ["detector", "code"]
    case .magnetic: ["detector", "axis"]
    case .gpio: ["pin"]
    case .power, .charge: []
    case .reset: ["boot", "reset_uid"]
    case .dataGap: ["stream", "session", "from_ms", "to_ms", "count", "reason", "cause"]
    case .linkLost, .linkUp: ["reason", "adapter"]
    case .lowBattery: ["battery_pct", "battery_mv"]
    case .streamSilent: ["stream"]
    case .streamRate: ["stream", "expected", "came", "lost", "doubled"]
    case .dataQuality: ["stream", "session", "field", "value", "count"]
    case .logDownloaded:
      [
        "session", "entries_expected", "entries_stored", "samples", "entries_lost", "undecoded", "doubled",
        "streams",
      ]
    case .logLevel: ["log_used_pct", "log_full_ms"]
    case .unknownLogger: ["session", "slots", "entries"]
    case .foreignChange: ["resources"]
    case .contactMissed: ["due_ms", "late_s", "poll"]
    case .identity: ["changed", "was", "is", "wanted"]
    case .maintenance: ["until_ms", "reason", "who"]
    case .clock: ["boot", "jump_ms"]
    case .firmware:
      ["installed_version", "latest_version", "index", "attempts", "image_sha256", "bootloader_version"]
    case .retainedCommand, .deniedCommand: ["verb", "id", "target"]
    case .boardDiscovered: ["board", "name", "rssi_dbm", "model", "reason"]
    case .boardAdmitted, .boardForgotten: ["board", "by"]
    case .adapter: ["adapter", "name", "reason", "reason_code", "by"]
    case .adapterReset: ["adapter", "reason", "step"]
    case .replay: ["from_ms", "to_ms", "messages"]
    case .bluetooth: ["reason"]
    case .process: ["reason", "signal", "status", "ended_ms", "count"]
    case .rollout: ["id", "group", "version", "total", "done", "failed", "stranded"]
    case .brokerLost, .brokerRestored: ["reason", "outage_s"]
    case .storage, .storageFull: ["free_bytes"]
    case .keptStreams: ["samples", "oldest_ms"]
    case .publishRefused: ["topic", "reason_code", "rows"]
    case .retainedChanged: ["topic", "count"]
    case .certificate: ["days"]
    case .config: ["differences", "reason_code", "problems", "changed", "needs_restart"]
    }
  }
}
