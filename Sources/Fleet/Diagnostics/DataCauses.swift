import Dialects
import FleetModel

/// Causes about what a board delivers: streams that are silent or incomplete, logs that are not kept, an empty battery,
/// another board in its place. Pure.
enum DataCauses {
  static func causes(_ facts: ExplanationFacts) -> [Explanation.Cause] {
    [stream(facts), liveSamples(facts), log(facts), battery(facts), identity(facts)].compactMap { $0 }
  }

  /// What the gateway says is lastingly wrong with its streams.
  private static func stream(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard let reason = facts.streamTrouble else { return nil }
    let code: Explanation.Code =
      switch reason {
      case .streamSilent: .streamSilent
      case .notLogged: .notLogged
      default: .streamRate
      }
    return .init(code, reason: reason, facts.state[.streamReason] ?? reason.meaning)
  }

  /// A stream that runs and of which nothing came while somebody listened. That proves nothing against the board.
  private static func liveSamples(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard let heard = facts.heard, heard.streams.isEmpty, facts.link == .streaming,
      facts.streamTrouble == nil,
      let stream = facts.documents?.config?.quickStream(within: heard.span)
    else { return nil }
    return .init(
      .noLiveSample,
      "\(stream) should be here by now: look again; if that lasts, check whether the broker's access rules let the "
        + "gateway publish, and you receive, live samples")
  }

  private static func log(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard let used = facts.state[.logUsedPercent], used >= 100 else { return nil }
    return .init(
      .logFull, since: facts.state[.logFull].flatMap { $0 < facts.now ? $0 : nil },
      "its flash is full: download and clear the log (metafleet send \(facts.board) log-download)")
  }

  /// Of a board that is connected, the battery holds.
  private static func battery(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard let percent = facts.state[.batteryPercent], percent <= 5, !facts.isConnected else { return nil }
    return .init(
      .batteryEmpty, since: facts.state[.batteryTime], "its battery was at \(percent) %: charge it")
  }

  private static func identity(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard let code = facts.state[.identityReasonCode] else { return nil }
    return .init(
      .identityChanged, reason: code,
      "\(facts.state[.identityReason] ?? code.meaning): is it the right board? If so, name its serial in the "
        + "configuration file; else its data are another board's")
  }
}

extension ConfigurationDocument {
  /// A stream that is desired at so many samples a second that at least two come within `span`.
  fileprivate func quickStream(within span: Duration) -> String? {
    let streams = self[.desired]?["stream"]?.object?.members ?? []
    return streams.first { _, configuration in
      guard let rate = configuration.object?["rate_hz"]?.number else { return false }
      return rate >= 1 && rate * span.inSeconds >= 2
    }?.0
  }
}
