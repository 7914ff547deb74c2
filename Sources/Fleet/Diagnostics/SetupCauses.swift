import Dialects
import FleetModel

/// Causes about what a connected board is meant to do and does not. Pure.
enum SetupCauses {
  static func causes(_ facts: ExplanationFacts) -> [Explanation.Cause] {
    guard facts.isConnected, facts.link != .interviewing else {
      let empty = facts.isBetweenVisits && facts.isAskedForNothing ? [profileEmpty(of: facts)] : []
      return empty + firmware(facts, isNeeded: false)
    }
    let difference = refused(facts) ?? notInSync(facts)
    let isNeeded = facts.reason == .setupUnsupported
    let causes = firmware(facts, isNeeded: isNeeded) + [difference].compactMap { $0 }
    if difference == nil, let empty = profileEmpty(facts) { return [empty] + causes }
    return causes
  }

  private static func refused(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard let reason = facts.reason, reason.isOfSetup else { return nil }
    // That nothing is logged is a cause of its own.
    if facts.streamTrouble == .notLogged, differences(facts)?.isEmpty == true { return nil }
    let unsupported =
      reason == .setupUnsupported ? ", or look whether newer firmware can do it (firmware-check)" : ""
    return .init(
      .notInSync, reason: reason, since: facts.reasonSince, isFault: true,
      "the board cannot do all of its profile: \(facts.state[.reason] ?? reason.meaning); change the profile\(unsupported)"
    )
  }

  private static func notInSync(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard facts.documents?.config?[.isInSync] == false, let differences = differences(facts),
      !differences.isEmpty
    else { return nil }
    let isFault = differences.contains { !isMild($0) }
    let advice =
      isFault
      ? ": metafleet board \(facts.board) shows both" : ": the gateway goes on; nothing has to be done"
    return .init(
      .notInSync, reason: facts.documents?.config?[.reasonCode], since: facts.documents?.config?[.changed],
      isFault: isFault,
      "its reported state differs from the desired state (\(differences.joined(separator: ", ")))\(advice)")
  }

  /// What the board does otherwise, without what is a cause of its own: streams that are silent, logs that are not
  /// kept.
  private static func differences(_ facts: ExplanationFacts) -> [String]? {
    guard let all = facts.documents?.config?[.differences] else { return nil }
    switch facts.streamTrouble {
    case .streamSilent: return all.filter { !$0.hasSuffix(" silent") }
    case .notLogged: return all.filter { !$0.hasPrefix("log/") }
    default: return all
    }
  }

  /// Words of the contract (1.5) that tell of no fault: nobody knows better yet, or it is so on purpose.
  private static func isMild(_ difference: String) -> Bool {
    difference.hasSuffix(" unverified") || difference.hasSuffix(" awaited")
      || difference.contains(" overridden ")
  }

  /// What is said of its firmware; `isNeeded`: the board is asked for what it cannot do with this one.
  private static func firmware(_ facts: ExplanationFacts, isNeeded: Bool) -> [Explanation.Cause] {
    old(facts, isNeeded: isNeeded) + rollout(facts)
  }

  /// It is to get other firmware by a rollout, and has not got it yet.
  private static func rollout(_ facts: ExplanationFacts) -> [Explanation.Cause] {
    guard let (rollout, row) = facts.rollout, let id = rollout[.id], let version = rollout[.version],
      let state = row[.state].flatMap({ RolloutReport.Row.State(rawValue: $0) })
    else { return [] }
    let why = row[.reason].map { ": \($0)" } ?? ""
    let paused = rollout[.isPaused] == true ? ", which is paused" : ""
    let words: String
    switch state {
    case .waiting: words = "it waits for firmware \(version) of the rollout \(id)\(paused)\(why)"
    case .failed, .overdue:
      words = "its update to \(version) by the rollout \(id) failed\(why)"
    case .running, .stranded, .skipped, .refused: return []
    }
    let advice = "metafleet send gateway:\(facts.gatewayName) rollout-list shows how far it is"
    return [.init(.inRollout, "\(words); \(advice)")]
  }

  /// There is a newer build than the installed one.
  private static func old(_ facts: ExplanationFacts, isNeeded: Bool) -> [Explanation.Cause] {
    guard let document = facts.documents?.firmware, let latest = document[.latest],
      let installed = document[.installed], latest != installed
    else { return [] }
    let why = isNeeded ? "; part of its profile is not supported by this one" : ""
    return [
      .init(
        .firmwareOld, reason: isNeeded ? facts.reason : nil, isFault: isNeeded,
        "it has firmware \(installed), and \(latest) is there\(why): metafleet send \(facts.board) firmware-update confirm=\(facts.board)"
      )
    ]
  }

  private static func profileEmpty(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard facts.link == .idle, !facts.isLogging, facts.streamTrouble == nil else { return nil }
    if facts.isToldToDeliver {
      return .init(.connecting, "the gateway sets it up: look again in a few seconds")
    }
    return profileEmpty(of: facts)
  }

  private static func profileEmpty(of facts: ExplanationFacts) -> Explanation.Cause {
    let profile = facts.documents?.info?[.profile]
    let why = profile.map { "the profile \($0) has no streams, or they were stopped" } ?? "it has no profile"
    return .init(
      .profileEmpty,
      "no stream is configured: \(why); change that, or metafleet send \(facts.board) stream-start stream=acceleration"
    )
  }
}

extension ExplanationFacts {
  /// Whether streams or logs are desired of the board.
  fileprivate var isToldToDeliver: Bool {
    let desired = documents?.config?[.desired]
    return ["stream", "log"].contains { desired?[$0]?.object?.isEmpty == false }
  }
}
