/// Where a board stands, as `state.link` says it (MQTT API 3.4).
public enum LinkPhase: String, Sendable, CaseIterable {
  case unseen, advertising
  case waitingForSlot = "waiting-for-slot"
  case connecting, interviewing, idle, streaming, logging, downloading, updating, bootloader, unreachable

  /// Whether a radio link is up in this phase.
  public var isConnected: Bool {
    switch self {
    case .interviewing, .idle, .streaming, .downloading: true
    case .unseen, .advertising, .waitingForSlot, .connecting, .logging, .updating, .bootloader, .unreachable:
      false
    }
  }
}

/// Whether a board can be counted on, and why (MQTT contract 1.2).
public struct Availability: Hashable, Sendable {
  /// The three answers.
  public enum State: String, Sendable { case online, offline, unknown }

  /// Why; each reason belongs to one state.
  public enum Reason: String, Sendable, CaseIterable {
    case connected, advertising, visited
    case silent
    case connectFailed = "connect-failed"
    case asleep, bootloader
    case identityMismatch = "identity-mismatch"
    case starting
    case noAdapter = "no-adapter"
    case busLost = "bus-lost"
    case gatewayStopped = "gateway-stopped"
    case moved

    /// The state that goes with the reason.
    public var state: State {
      switch self {
      case .connected, .advertising, .visited: .online
      case .silent, .connectFailed, .asleep, .bootloader, .identityMismatch: .offline
      case .starting, .noAdapter, .busLost, .gatewayStopped, .moved: .unknown
      }
    }
  }

  /// Why the board is where it is.
  public var reason: Reason
  /// Since when this state and reason have held.
  public var since: Timestamp

  /// The answer itself.
  public var state: State { reason.state }

  /// States `reason` since `since`.
  public init(reason: Reason, since: Timestamp) {
    self.reason = reason
    self.since = since
  }
}
