import Dialects
import FleetModel

/// Causes that somebody brought about, and only a person ends: who configures the board, sent a command, or stands
/// beside it. Pure.
enum OrderCauses {
  /// Nil where nobody has ordered that the board is not used.
  static func cause(_ facts: ExplanationFacts) -> Explanation.Cause? {
    ordered(facts) ?? atTheBoard(facts)
  }

  private static func ordered(_ facts: ExplanationFacts) -> Explanation.Cause? {
    let since = facts.reasonSince
    switch facts.reason {
    case .disabled:
      return .init(
        .disabled, reason: .disabled, since: since,
        "it is disabled (enabled: false): set enabled: true in the configuration file, or metafleet admit "
          + "\(facts.board) --enabled")
    case .held:
      return .init(
        .held, reason: .held, since: since,
        "it is disconnected on request (disconnect); the gateway connects again when the time is over")
    case .drained:
      return .init(
        .drained, reason: .drained, since: since,
        "its gateway is drained and has no connections; to connect again: metafleet send "
          + "gateway:\(facts.gatewayName) drain resume=true")
    case .identityMismatch:
      return .init(
        .identityMismatch, reason: .identityMismatch,
        since: facts.availability == .identityMismatch ? facts.since : since,
        "\(sentence(facts)): correct serial in the configuration file and reload, or put the right board back; "
          + "the gateway looks again within 15 minutes")
    default: return nil
    }
  }

  private static func atTheBoard(_ facts: ExplanationFacts) -> Explanation.Cause? {
    if facts.isConnected { return nil }
    if facts.reason == .asleep || facts.availability == .asleep {
      return .init(
        .asleep, reason: facts.reason, since: facts.since, "it was put to sleep: press its button")
    }
    if facts.link == .updating {
      return .init(
        .updating, since: facts.since,
        "it is being given other firmware\(stage(facts).map { ", \($0)" } ?? ""): wait until that is over, which takes some minutes"
      )
    }
    guard facts.reason == .bootloader || facts.availability == .bootloader || facts.link == .bootloader else {
      return nil
    }
    let since = facts.availability == .bootloader ? facts.since : nil
    if facts.documents?.firmware?[.stage] == FirmwareReport.Progress.Stage.rescuing.rawValue {
      let trouble = facts.documents?.firmware?[.trouble].map { " (\($0))" } ?? ""
      return .init(
        .bootloader, reason: facts.reason, since: since,
        "it is in its bootloader, without an application, as its update broke off\(trouble): the gateway sends the firmware again by itself; charge the board and bring it near, "
          + "then metafleet send \(facts.board) firmware-update confirm=\(facts.board) tries at once")
    }
    return .init(
      .bootloader, reason: facts.reason, since: since,
      "it is in its bootloader and waits for firmware: an update was interrupted, or the bootloader was requested; "
        + "metafleet send \(facts.board) firmware-update confirm=\(facts.board), or reset it where its application is whole"
    )
  }

  /// What is done of an update right now; nil where nobody knows.
  private static func stage(_ facts: ExplanationFacts) -> String? {
    let firmware = facts.documents?.firmware
    switch firmware?[.stage].flatMap(FirmwareReport.Progress.Stage.init(rawValue:)) {
    case .fetching?: return "which is fetched, while its log is downloaded"
    case .enteringBootloader?: return "for which it restarts in its bootloader"
    case .sending?:
      let percent = firmware?[.percent].flatMap { Int(exactly: $0.rounded()) }
      return "which is sent\(percent.map { " (\($0) %)" } ?? "")"
    case .verifying?: return "which was sent, and is started"
    case .idle?, .waiting?, .rescuing?, .failed?, nil: return nil
    }
  }

  /// The gateway's sentence, without the code in front.
  private static func sentence(_ facts: ExplanationFacts) -> String {
    let words = LinkFailureAdvice.words(of: facts.state[.reason] ?? "", .identityMismatch)
    return words.isEmpty ? "another board answers at its address" : String(words)
  }
}
