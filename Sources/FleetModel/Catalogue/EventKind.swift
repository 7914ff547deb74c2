/// Every kind of event, declared once: its topic level, its types and its fields (MQTT contract 5).
public enum EventKind: String, Sendable, CaseIterable {
  // Of boards.
  case button, reset
  case dataGap = "data-gap"
  case linkLost = "link-lost"
  case linkUp = "link-up"
  case lowBattery = "low-battery"
  case streamSilent = "stream-silent"
  // Of boards and gateways.
  case retainedCommand = "retained-command"
  // Of gateways.
  case boardDiscovered = "board-discovered"
  case boardAdmitted = "board-admitted"
  case boardForgotten = "board-forgotten"
  case adapter, bluetooth
  case brokerLost = "broker-lost"
  case brokerRestored = "broker-restored"
  case storageFull = "storage-full"
  case publishRefused = "publish-refused"
  case config, process

  /// What `event_type` may say.
  public var types: [String] {
    switch self {
    case .button: ["press", "release"]
    case .reset: ["power-on", "pin", "watchdog", "software", "lock-up", "wake", "unexpected"]
    case .dataGap: ["stream", "log"]
    case .linkLost: ["lost", "flapping"]
    case .linkUp: ["up"]
    case .lowBattery: ["low", "critical"]
    case .streamSilent: ["silent", "recovered"]
    case .retainedCommand: ["refused"]
    case .boardDiscovered: ["new", "bootloader"]
    case .boardAdmitted: ["admitted"]
    case .boardForgotten: ["forgotten"]
    case .adapter: ["lost", "returned", "blocked", "failed"]
    case .bluetooth: ["lost", "restored"]
    case .brokerLost: ["lost", "taken-over"]
    case .brokerRestored: ["restored"]
    case .storageFull: ["low", "full", "read-only", "corrupt", "recovered"]
    case .publishRefused: ["not-authorised", "quota", "too-large"]
    case .config: ["reloaded", "rejected"]
    case .process: ["started", "crashed", "draining"]
    }
  }

  /// Fields beside the common ones.
  public var fields: [String] {
    switch self {
    case .button: ["held_ms"]
    case .reset: ["boot", "reset_uid"]
    case .dataGap: ["stream", "session", "from_ms", "to_ms", "count", "reason"]
    case .linkLost, .linkUp: ["reason", "adapter"]
    case .lowBattery: ["battery_pct", "battery_mv"]
    case .streamSilent: ["stream"]
    case .retainedCommand: ["verb", "id", "target"]
    case .boardDiscovered: ["board", "name", "rssi_dbm", "model"]
    case .boardAdmitted, .boardForgotten: ["board", "by"]
    case .adapter: ["adapter", "name"]
    case .bluetooth, .process: ["reason"]
    case .brokerLost, .brokerRestored: ["reason", "outage_s"]
    case .storageFull: ["free_bytes"]
    case .publishRefused: ["topic", "reason_code", "rows"]
    case .config: ["problems"]
    }
  }
}
