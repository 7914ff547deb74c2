import BoardKit
import FleetModel

/// What a failed attempt at a link means for a person.
enum LinkTrouble {
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
        "another program on the gateway's computer, or a phone, holds the board: close it there (MetaBase, "
          + "bluetoothctl, gatttool); the gateway asks again every half minute"
      )
    case .noSlots:
      (.waitingForSlot, "the adapter has no room for another link: add an adapter, or let other boards go")
    case .adapterGone: (.adapterDown, "the adapter is gone: plug it in again")
    case .adapterOff:
      (.adapterDown, "the adapter is off: rfkill unblock bluetooth, then bluetoothctl power on")
    case .serviceGone: (.bluetoothDown, "BlueZ does not run there: systemctl restart bluetooth")
    case .notPermitted:
      (
        .bluetoothDown,
        "the gateway may not use BlueZ: let its user in with a D-Bus policy, or put it into the group bluetooth"
      )
    case .unreachable:
      (.connectFailing, "the board does not answer: it is out of reach, off, or connected to somebody else")
    case .deviceGone:
      (
        .connectFailing,
        "BlueZ has not heard the board for a while and dropped it: the gateway connects when it advertises again"
      )
    case .refused:
      (
        .connectFailing,
        "the board, or BlueZ, breaks the attempt off: bring it nearer; if it lasts, reset it with its button"
      )
    case .timedOut: (.connectFailing, "the attempts take too long: bring the board or the gateway nearer")
    case .linkLost:
      (.connectFailing, "the link breaks: bring the board or the gateway nearer, charge the board")
    case .silent:
      (.connectFailing, "the link stands but the board answers nothing: reset it with its button")
    case .servicesMissing:
      (
        .connectFailing,
        "it does not look like a MetaMotion: is the address right? A reset of the board may help"
      )
    case .adapterBusy: (.connectFailing, "the adapter is busy with another attempt; the gateway tries again")
    case .closed: (.connectFailing, "the gateway let go of the link and will connect again")
    case .other: (.connectFailing, "connecting fails in a way of its own: journalctl -u bluetooth tells more")
    }
  }
}
