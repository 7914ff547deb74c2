import BoardKit
import FleetModel

/// What a failed attempt at a link, or the end of one, means for a person.
enum LinkFailureAdvice {
  /// Whether a code is about a link.
  static func isFailure(_ code: ReasonCode) -> Bool { LinkFailure.Reason(code) != nil }

  /// Whether a code tells of an attempt only, which goes otherwise the next time: nothing has to be changed by hand.
  static func isPassing(_ code: ReasonCode) -> Bool {
    switch LinkFailure.Reason(code) {
    case .unreachable, .refused, .timedOut, .linkLost, .deviceGone, .silent, .adapterBusy, .closed: true
    default: false
    }
  }

  /// The cause behind a reason, whose sentence is only quoted; nil when it is not about a link. `isDisproved`: whether
  /// the gateway shows that Bluetooth works all the same, for other boards or by now.
  static func cause(
    of code: ReasonCode, _ sentence: String?, since: Timestamp?, isDisproved: Bool = false
  ) -> Explanation.Cause? {
    guard let reason = LinkFailure.Reason(code) else { return nil }
    let (cause, advice) = isDisproved ? alone(reason) ?? meaning(of: reason) : meaning(of: reason)
    let quoted = advice.hasPrefix(words(of: sentence ?? "", code)) ? "" : quotation(of: sentence ?? "", code)
    return Explanation.Cause(cause, reason: code, since: since, advice + quoted)
  }

  /// Errors of BlueZ have names that begin so.
  private static let errorOfBlueZ = "org.bluez.Error."

  /// BlueZ's own words, as such; the gateway's in brackets.
  private static func quotation(of sentence: String, _ code: ReasonCode) -> String {
    let words = words(of: sentence, code)
    if words.isEmpty { return "" }
    return words.hasPrefix(errorOfBlueZ) ? ". BlueZ says: \(words)" : " (\(words))"
  }

  /// Without the code in front, which says nothing to a person.
  static func words(of sentence: String, _ code: ReasonCode) -> Substring {
    let front = "\(code.rawValue):"
    return (sentence.hasPrefix(front) ? sentence.dropFirst(front.count) : sentence[...]).drop { $0 == " " }
  }

  static let notPermitted =
    "the gateway is not permitted to use BlueZ: add its user to the group bluetooth, or to a D-Bus policy"

  /// What would be said of all Bluetooth, where it works for other boards.
  private static func alone(_ reason: LinkFailure.Reason) -> (Explanation.Code, String)? {
    switch reason {
    case .serviceGone:
      (
        .connectFailing,
        "BlueZ runs, and did not answer for this board: the gateway tries again"
      )
    case .notPermitted:
      (
        .connectFailing,
        "BlueZ does not permit a connection to this board, while others are connected: check whether it is blocked "
          + "(bluetoothctl info)"
      )
    case .adapterGone, .adapterOff, .noRadio:
      (
        .connectFailing,
        "the adapter that held the board went: the gateway connects over another one, or when it is back"
      )
    default: nil
    }
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
    case .noRadio:
      (
        .adapterDown,
        "no Bluetooth adapter can be used: plug one in, or rfkill unblock bluetooth and bluetoothctl power on"
      )
    case .serviceGone: (.bluetoothDown, "BlueZ is not running: systemctl restart bluetooth")
    case .notPermitted: (.notPermitted, notPermitted)
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
        "the connection was lost, and the gateway connects again: if that happens often, bring the board or the gateway "
          + "nearer, or charge the board"
      )
    case .silent:
      (.connectFailing, "the board is connected but does not answer: reset it with its button")
    case .servicesMissing:
      (
        .connectFailing,
        "it does not offer a MetaMotion's services, or others than BlueZ remembers, as after an update of its firmware: "
          + "the gateway has BlueZ read them anew; if that lasts, check the address and reset the board"
      )
    case .adapterBusy: (.connectFailing, "the adapter is busy with another attempt; the gateway tries again")
    case .closed: (.connectFailing, "the gateway closed the connection and will connect again")
    case .other: (.connectFailing, "connecting fails with an unknown error: see journalctl -u bluetooth")
    }
  }
}
