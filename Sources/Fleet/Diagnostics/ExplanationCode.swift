extension Explanation {
  /// What can be the case, by the contract's words: the one list, in the order of the documentation.
  package enum Code: String, Sendable, CaseIterable {
    // Who looks after the board.
    case notAdmitted = "not-admitted"
    case gatewayStopped = "gateway-stopped"
    case withheld
    case ownedElsewhere = "owned-elsewhere"
    // What somebody ordered.
    case disabled, held, drained
    case identityMismatch = "identity-mismatch"
    case asleep, updating, bootloader
    // Bluetooth of the gateway.
    case bluetoothDown = "bluetooth-down"
    case notPermitted = "not-permitted"
    case adapterDown = "adapter-down"
    case adapterNotScanning = "adapter-not-scanning"
    case adapterDeaf = "adapter-deaf"
    // The way to the board.
    case starting
    case notSeen = "not-seen"
    case silentSince = "silent-since"
    case busyElsewhere = "busy-elsewhere"
    case connectFailing = "connect-failing"
    case waitingForSlot = "waiting-for-slot"
    case waitingToConnect = "waiting-to-connect"
    case connecting
    case nextVisit = "next-visit"
    // What it does.
    case streamSilent = "stream-silent"
    case notLogged = "not-logged"
    case streamRate = "stream-rate"
    case noLiveSample = "no-live-sample"
    case firmwareOld = "firmware-old"
    case inRollout = "in-rollout"
    case notInSync = "not-in-sync"
    case profileEmpty = "profile-empty"
    case logFull = "log-full"
    case batteryEmpty = "battery-empty"
    case identityChanged = "identity-changed"
    // What becomes of its data.
    case storageFull = "storage-full"
    case storageSlow = "storage-slow"
    case streamsNotKept = "streams-not-kept"
    case databaseReplaced = "database-replaced"
    case brokerRefused = "broker-refused"
    case configurationError = "config-error"
    case clockUnset = "clock-unset"
    case firmwareCheckFailing = "firmware-check-failing"
    case unknownState = "unknown-state"
  }
}

extension Explanation.Code {
  /// What a cause of this code means for the command's exit status.
  package enum Kind: String, Sendable {
    /// The board does not do what it should: 1.
    case fault = "1"
    /// The board does what it should: 0.
    case notice = "0"
    /// The case says which.
    case either = "0 or 1"
  }

  /// Whether the board does what it should all the same.
  package var kind: Kind {
    switch self {
    case .nextVisit, .noLiveSample, .storageSlow, .databaseReplaced, .configurationError, .clockUnset,
      .firmwareCheckFailing, .streamsNotKept, .inRollout:
      .notice
    case .firmwareOld, .notInSync, .brokerRefused: .either
    default: .fault
    }
  }
}
