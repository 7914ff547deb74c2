import BoardKit
import FleetModel

/// Where a board stands, and why it is not where it should be (MQTT contract 1.3). Pure.
struct LinkPhaseRule: Sendable {
  var facts: AvailabilityRule.Facts
  /// How long silence is fine.
  var window: Duration
  var connection: ConnectionMachine.State
  var lastFailure: LinkFailure?
  /// What a connected board does; nil where there is no link.
  var activity: BoardActivity?
  /// Why a connected board does not do all that is wanted.
  var refusals: StatedReason?
  var isEnabled = true
  /// Let go of until it is taken up again.
  var isDrained = false
  /// Whether a link is wanted now, and not only at the next contact.
  var isContactDue = true
  /// Whether it logs while nobody is connected, as far as known.
  var isLogging = false

  /// Why a released board has no link.
  static let drained = "the gateway is drained; metafleet send gateway:<id> drain resume=true connects again"

  private static let held = "disconnected on request"

  /// When a pause ends by itself in which no connection is tried, by uptime: one on request, or the back-off behind a
  /// failure. nil where there is none. `reason`: what `judge` says.
  func pauseEnd(_ reason: ReasonCode?) -> Duration? {
    switch connection {
    case .suspended(let end) where reason == .held: end
    case .backingOff(let end, needsAdvertisement: false) where reason == lastFailure?.reason.code: end
    default: nil
    }
  }

  /// The phase and its reason at `uptime`.
  func judge(at uptime: Duration) -> (phase: LinkPhase, reason: StatedReason?) {
    if facts.isStopped { return (.unseen, StatedReason(.gatewayStopped, "the gateway was stopped")) }
    if facts.isUpdating { return (.updating, nil) }
    if let activity {
      guard facts.isAnswering else { return (.interviewing, nil) }
      if activity.isDownloading { return (.downloading, nil) }
      return (activity.streams.isEmpty ? .idle : .streaming, refusals)
    }
    let heard = heardPhase(at: uptime)
    if let (phase, code, sentence) = hindrance(heard, at: uptime) {
      return (phase, StatedReason(code, sentence))
    }
    // Between two contacts.
    if !isContactDue, connection != .radioUnavailable {
      return (heard == .advertising && isLogging ? .logging : heard, nil)
    }
    // The code stands in the sentence, too: many look there for it.
    let failure = lastFailure.map { StatedReason($0.reason.code, "\($0.reason.rawValue): \($0.message)") }
    switch connection {
    // A board that left while it waited for a place is not there to be connected to.
    case .waitingForSlot where heard == .advertising: return (.waitingForSlot, failure)
    case .absent, .waitingForSlot:
      let silence =
        facts.lastSeen == nil
        ? StatedReason(.notHeard, "no advertisements received yet")
        : StatedReason(.awaitingAdvertisement, "waiting for the next advertisement")
      // Of a board that is not received any more, what was tried last tells nothing.
      return (heard, heard == .advertising ? failure ?? silence : silence)
    case .connecting: return (.connecting, failure)
    case .connected: return (.interviewing, nil)
    case .backingOff: return (facts.isUnreachable ? .unreachable : heard, failure)
    case .suspended: return (heard, StatedReason(.held, Self.held))
    case .radioUnavailable:
      return (.unseen, failure ?? StatedReason(.noRadio, "no Bluetooth adapter can be used"))
    }
  }

  /// What keeps anybody from connecting to it at all.
  private func hindrance(_ heard: LinkPhase, at uptime: Duration) -> (LinkPhase, ReasonCode, String)? {
    if !isEnabled { return (heard, .disabled, "disabled (enabled: false)") }
    if isDrained { return (heard, .drained, Self.drained) }
    if facts.isBootloader {
      return (
        .bootloader, .bootloader,
        "the board is in its bootloader and waits for firmware: firmware-update, or reset"
      )
    }
    if facts.isAsleep { return (heard, .asleep, "it was put to sleep: press its button") }
    if let mismatch = facts.mismatch { return (heard, .identityMismatch, mismatch.sentence) }
    // Also between two contacts: the next one waits for the end of it.
    if case .suspended(let until) = connection, uptime < until { return (heard, .held, Self.held) }
    return nil
  }

  private func heardPhase(at uptime: Duration) -> LinkPhase {
    guard let seen = facts.lastSeen else { return .unseen }
    return uptime - seen < window ? .advertising : .unseen
  }
}

/// What a connected board does.
struct BoardActivity: Hashable, Sendable {
  /// Names of the streams that run, in their order.
  var streams: [String] = []
  /// What is lastingly wrong with them.
  var troubles: [StreamTrouble] = []
  var isDownloading = false
}
