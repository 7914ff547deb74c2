/// How grave an alarm is, the gravest first.
public enum AlarmSeverity: String, Sendable, CaseIterable {
  /// Data are lost, or will be soon.
  case critical
  /// Somebody should see to it within days.
  case warning
  /// Good to know.
  case info

  /// Graver is smaller.
  public var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// What alarms there are: the one list (MQTT contract 1.9).
public enum AlarmCode: String, Sendable, CaseIterable {
  // Of the gateway.
  case bluetoothDown = "bluetooth-down"
  case brokerLost = "broker-lost"
  case outboxLate = "outbox-late"
  case brokerRefused = "broker-refused"
  case storageFull = "storage-full"
  case storageLow = "storage-low"
  case storageSlow = "storage-slow"
  case streamsNotKept = "streams-not-kept"
  case databaseReplaced = "database-replaced"
  case configurationError = "config-error"
  case boardsWithheld = "boards-withheld"
  case certificateExpired = "certificate-expired"
  case certificateExpiring = "certificate-expiring"
  case clockUnset = "clock-unset"
  case samplesMissing = "samples-missing"
  case commandsFailing = "commands-failing"
  case slotsExhausted = "slots-exhausted"
  case firmwareOld = "firmware-old"
  case firmwareCheckFailing = "firmware-check-failing"
  // Of an adapter.
  case adapterDown = "adapter-down"
  case adapterDeaf = "adapter-deaf"
  case adapterNotScanning = "adapter-not-scanning"
  // Of a board.
  case boardOffline = "board-offline"
  case boardStranded = "board-stranded"
  case boardTroubled = "board-troubled"
  case identityChanged = "identity-changed"
  case batteryEmpty = "battery-empty"
  case batteryLow = "battery-low"
  case logFull = "log-full"
  case logNearlyFull = "log-nearly-full"
  case visitMissed = "visit-missed"
  case samplesLost = "samples-lost"
  case notInSync = "not-in-sync"
  case clockUncertain = "clock-uncertain"

  /// What an alarm can be about.
  public enum Scope: Sendable { case gateway, adapter, board }

  /// What it is about.
  public var scope: Scope {
    switch self {
    case .adapterDown, .adapterDeaf, .adapterNotScanning: .adapter
    case .boardOffline, .boardStranded, .boardTroubled, .identityChanged, .batteryEmpty, .batteryLow,
      .logFull, .logNearlyFull,
      .visitMissed, .samplesLost, .notInSync, .clockUncertain:
      .board
    default: .gateway
    }
  }

  /// How grave it is.
  public var severity: AlarmSeverity {
    switch self {
    case .bluetoothDown, .brokerLost, .storageFull, .certificateExpired, .batteryEmpty, .logFull: .critical
    case .firmwareOld, .firmwareCheckFailing: .info
    default: .warning
    }
  }

  /// For how long it must be so before it is an alarm: what passes by itself is none.
  public var delay: Duration {
    switch self {
    case .brokerRefused, .storageFull, .adapterDeaf: .seconds(60)
    case .bluetoothDown, .brokerLost: .seconds(120)
    case .outboxLate, .storageLow, .adapterDown, .boardOffline, .boardStranded, .visitMissed, .batteryEmpty,
      .samplesMissing:
      .seconds(300)
    case .storageSlow, .adapterNotScanning, .batteryLow, .logFull, .logNearlyFull, .samplesLost: .seconds(600)
    case .boardTroubled: .seconds(900)
    case .clockUnset, .slotsExhausted, .notInSync, .clockUncertain: .seconds(1_800)
    case .firmwareCheckFailing: .seconds(86_400)
    case .streamsNotKept, .databaseReplaced, .configurationError, .boardsWithheld, .certificateExpired,
      .certificateExpiring, .commandsFailing, .firmwareOld, .identityChanged:
      .zero
    }
  }

  /// What it says, in a sentence that names no particular board.
  public var meaning: String {
    switch self {
    case .bluetoothDown: "No board can be connected: Bluetooth of the gateway does not work."
    case .brokerLost: "The broker is not connected; what is received waits on the gateway's disk."
    case .outboxLate:
      "Messages have been waiting for the broker for more than five minutes although it is connected."
    case .brokerRefused: "The broker refuses messages of the gateway, or does not let it hear its commands."
    case .storageFull: "The gateway's disk takes nothing any more."
    case .storageLow: "The gateway's disk is nearly full."
    case .storageSlow:
      "The gateway's disk takes seconds for each write, or somebody who reads its database does not end."
    case .streamsNotKept: "Streamed samples are published, but not kept as long as the file says."
    case .databaseReplaced: "A damaged database was put aside, and a new one begun."
    case .configurationError: "The configuration file as it was last read does not count."
    case .boardsWithheld: "Boards are left alone until somebody confirms that they go."
    case .certificateExpired: "A certificate for the broker has expired."
    case .certificateExpiring: "A certificate for the broker expires within 30 days."
    case .clockUnset: "No time service keeps the clock of the gateway's computer."
    case .samplesMissing: "More than one in a hundred samples is lost, or given up for want of room."
    case .commandsFailing: "More than five commands failed within 15 minutes."
    case .slotsExhausted: "Boards wait while all connection slots are taken."
    case .firmwareOld: "There is newer firmware for boards."
    case .firmwareCheckFailing: "The gateway cannot find out about newer firmware."
    case .adapterDown: "A Bluetooth adapter cannot be used."
    case .adapterDeaf: "Nothing is received over an adapter although boards are missing."
    case .adapterNotScanning: "An adapter does not look for boards."
    case .boardOffline: "The board is offline, and nobody ordered that."
    case .boardStranded: "The board is in its bootloader, without an application: it measures nothing."
    case .boardTroubled: "The board is in reach, but its connection or its streams are not as they should be."
    case .identityChanged: "Another board than before answers at the address."
    case .batteryEmpty: "The battery is at 5 % or less."
    case .batteryLow: "The battery is at 20 % or less."
    case .logFull: "The log is full."
    case .logNearlyFull: "The log is more than 80 % full."
    case .visitMissed: "The board should have been in contact more than ten minutes ago."
    case .samplesLost: "Samples of the board's streams are lost on the way to the gateway."
    case .notInSync: "The board does not do what its profile says."
    case .clockUncertain: "Times of the board may be off by more than a second."
    }
  }
}
