import BoardKit
import FleetModel

/// What a failed attempt at a link means for a person.
enum LinkFailureAdvice {
  /// The cause behind a reason, whose sentence is only quoted; nil when it is not about a link.
  static func cause(of code: ReasonCode, _ sentence: String?, since: Timestamp?) -> Explanation.Cause? {
    guard let reason = LinkFailure.Reason(code) else { return nil }
    let (cause, advice) = meaning(of: reason)
    let words = quoted(sentence ?? "", code)
    return Explanation.Cause(cause, since: since, words.isEmpty ? advice : "\(advice). BlueZ says: \(words)")
  }

  /// Without the code in front, which says nothing to a person.
  private static func quoted(_ sentence: String, _ code: ReasonCode) -> Substring {
    let front = "\(code.rawValue):"
    return (sentence.hasPrefix(front) ? sentence.dropFirst(front.count) : sentence[...]).drop { $0 == " " }
  }

  private static func meaning(of reason: LinkFailure.Reason) -> (Explanation.Code, String) {
    switch reason {
    case .busyElsewhere:
      (
        .busyElsewhere,
        "another program on the gateway's host, or a phone, is connected to the board: disconnect it there (MetaBase, "
          + "bluetoothctl, gatttool); the gateway tries again every 30 s"
      )
    case .noSlots:
      (.waitingForSlot, "the adapter has no free connection slot: add an adapter, or disconnect other boards")
    case .adapterGone: (.adapterDown, "the adapter is gone: plug it in again")
    case .adapterOff:
      (.adapterDown, "the adapter is off: rfkill unblock bluetooth, then bluetoothctl power on")
    case .serviceGone: (.bluetoothDown, "BlueZ is not running: systemctl restart bluetooth")
    case .notPermitted:
      (
        .bluetoothDown,
        "the gateway is not permitted to use BlueZ: add its user to the group bluetooth, or to a D-Bus policy"
      )
    case .bondRequired:
      (
        .connectFailing,
        "the board wants to be paired, which a MetaMotion never does: check its address and firmware; the gateway tries "
          + "again within 15 minutes, and when it was away"
      )
    case .unknownModel:
      (
        .connectFailing,
        "the board is none of the models that the gateway knows: check its address; the gateway tries again within "
          + "15 minutes, and when it was away"
      )
    case .identityMismatch:
      (
        .identityMismatch,
        "another board than the one with the configured serial number answers at the address: correct serial in the "
          + "configuration file, or put the right board back; the gateway tries again within 15 minutes"
      )
    case .unreachable:
      (.connectFailing, "the board does not answer: it is out of range, off, or connected to another device")
    case .deviceGone:
      (
        .connectFailing,
        "BlueZ removed the board because it stopped advertising: the gateway connects when it advertises again"
      )
    case .refused:
      (
        .connectFailing,
        "the board, or BlueZ, aborts the connection: bring it nearer; if that does not help, reset it with its button"
      )
    case .timedOut: (.connectFailing, "connection attempts time out: bring the board or the gateway nearer")
    case .linkLost:
      (
        .connectFailing,
        "the connection is lost again and again: bring the board or the gateway nearer, charge the board"
      )
    case .silent:
      (.connectFailing, "the board is connected but does not answer: reset it with its button")
    case .servicesMissing:
      (
        .connectFailing,
        "it does not offer a MetaMotion's services: check the address; if it is right, reset the board"
      )
    case .adapterBusy: (.connectFailing, "the adapter is busy with another attempt; the gateway tries again")
    case .closed: (.connectFailing, "the gateway closed the connection and will connect again")
    case .other: (.connectFailing, "connecting fails with an unknown error: see journalctl -u bluetooth")
    }
  }
}
