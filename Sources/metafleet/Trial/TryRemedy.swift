import BoardKit

/// What somebody can do where `metafleet try` gets no connection, or loses it. `LinkFailureAdvice` speaks of a gateway,
/// which tries again by itself.
enum TryRemedy {
  /// What to do, and how the command ends.
  static func remedy(for reason: LinkFailure.Reason) -> (advice: String, status: ExitStatus) {
    switch reason {
    case .noSlots: ("disconnect other boards, or use another adapter: --adapter", .tryLater)
    case .adapterBusy, .busyElsewhere:
      ("another program uses the adapter: try again when it is done", .tryLater)
    case .adapterGone: ("plug the adapter in again", .unavailable)
    case .adapterOff: ("rfkill unblock bluetooth, then bluetoothctl power on", .unavailable)
    case .noRadio: ("plug a Bluetooth adapter in, or switch it on", .unavailable)
    case .serviceGone: ("systemctl restart bluetooth", .unavailable)
    case .notPermitted: ("add this user to the group bluetooth, or to a D-Bus policy", .notAllowed)
    case .bondRequired, .unknownModel, .identityMismatch, .servicesMissing:
      ("check that it is a MetaMotion board; if it is, reset it with its button", .no)
    case .unreachable, .refused, .timedOut, .linkLost, .deviceGone, .silent, .closed, .other:
      ("bring the board nearer, charge it, or reset it with its button", .no)
    }
  }
}
