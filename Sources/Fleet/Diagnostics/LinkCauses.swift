import Dialects
import FleetModel

/// Causes about the way to the board: whether it is received, and what comes of attempts to connect. Pure.
enum LinkCauses {
  /// Why there is no connection; nil where there is one that serves, or none is needed.
  static func cause(_ facts: ExplanationFacts) -> Explanation.Cause? {
    switch facts.link {
    case .idle, .streaming, .downloading: return nil
    case .interviewing:
      return connecting(facts, "the gateway is connected and asks the board what it is and can do")
    default: break
    }
    if facts.isBetweenVisits { return facts.isAskedForNothing ? nil : nextVisit(facts) }
    if facts.link == .logging { return nil }
    if isStarting(facts) { return starting(facts) }
    if facts.link == .waitingForSlot, facts.reason == nil || !isFailure(facts) { return waiting(facts) }
    return failure(facts) ?? unreceived(facts) ?? byPhase(facts)
  }

  private static func isFailure(_ facts: ExplanationFacts) -> Bool {
    facts.reason.map { LinkFailureAdvice.isFailure($0) } ?? false
  }

  // Not received.

  private static func isStarting(_ facts: ExplanationFacts) -> Bool {
    facts.availability == .starting && facts.link == .unseen && facts.state[.lastSeen] == nil
      && (facts.reason == nil || facts.reason == .notHeard)
  }

  private static func starting(_ facts: ExplanationFacts) -> Explanation.Cause {
    .init(
      .starting, reason: facts.reason, since: facts.since,
      "the gateway looks for it and has not received an advertisement yet: wait a minute; then charge it, press its "
        + "button, or bring it nearer")
  }

  private static func unreceived(_ facts: ExplanationFacts) -> Explanation.Cause? {
    let isAwaited = facts.reason == .awaitingAdvertisement || facts.reason == .notHeard
    guard isAwaited || facts.availability == .silent || facts.link == .unseen else { return nil }
    return notReceived(facts)
  }

  private static func notReceived(_ facts: ExplanationFacts) -> Explanation.Cause {
    guard let seen = facts.state[.lastSeen] else {
      return .init(
        .notSeen, reason: facts.reason, since: facts.since,
        "no advertisement of it was received since the gateway started: charge it, press its button, bring it nearer; is "
          + "\(facts.board.address.colonSeparated) its address?")
    }
    return .init(
      .silentSince, reason: facts.reason, since: seen,
      "no advertisements are received from it any more: charge it, bring it nearer, check whether another device is "
        + "connected to it")
  }

  // Received, and not connected.

  private static func failure(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard let reason = facts.reason, LinkFailureAdvice.isFailure(reason) else { return nil }
    if reason == .noSlots { return waiting(facts) }
    // Of a board that is not there any more, what came of attempts says nothing new.
    if facts.isOutOfSight, LinkFailureAdvice.isPassing(reason) || reason == .deviceGone {
      return notReceived(facts)
    }
    if reason == .deviceGone, facts.state[.lastSeen] != nil { return notReceived(facts) }
    if reason == .adapterBusy || reason == .closed { return waiting(facts) }
    // The adapter, or BlueZ, is there again: what ended the link is over.
    if [.adapterOff, .adapterGone, .noRadio].contains(reason), facts.ownAdapter?.isUp ?? false {
      return waiting(facts)
    }
    return LinkFailureAdvice.cause(
      of: reason, facts.state[.reason], since: facts.reasonSince ?? failingSince(facts),
      isDisproved: facts.disproves(reason))
  }

  /// Since when it cannot be counted on; a failure while it can is younger than an older gateway writes down.
  private static func failingSince(_ facts: ExplanationFacts) -> Timestamp? {
    facts.availability?.state == .online ? nil : facts.since
  }

  private static func byPhase(_ facts: ExplanationFacts) -> Explanation.Cause? {
    switch facts.link {
    case .connecting: return connecting(facts, "the gateway is connecting to it")
    case .advertising, .waitingForSlot:
      return facts.availability == .connectFailed ? connectFailing(facts) : waiting(facts)
    case .unreachable: return connectFailing(facts)
    default: return facts.availability == .connectFailed ? connectFailing(facts) : nil
    }
  }

  private static func connectFailing(_ facts: ExplanationFacts) -> Explanation.Cause {
    .init(
      .connectFailing, since: facts.since,
      "connection attempts fail: bring the board or the gateway nearer, charge the board")
  }

  private static func connecting(_ facts: ExplanationFacts, _ what: String) -> Explanation.Cause {
    .init(.connecting, "\(what): look again in a few seconds")
  }

  private static func nextVisit(_ facts: ExplanationFacts) -> Explanation.Cause {
    let what = facts.isLogging ? "it logs meanwhile" : "it is not connected meanwhile"
    return .init(.nextVisit, "it is visited now and then, as its profile says; \(what)")
  }

  // Waiting for its turn.

  private static func waiting(_ facts: ExplanationFacts) -> Explanation.Cause {
    let adapters = facts.usableAdapters
    func total(_ field: DocumentField<AdapterDocument, Int>) -> Int {
      adapters.reduce(0) { $0 &+ ($1[field] ?? 0) }
    }
    // Each adapter says how many wait in the whole gateway.
    let others = adapters.map { $0[.waiting] ?? 0 }.max() ?? 0
    let turn = adapters.lazy.compactMap { adapter in
      adapter.place(of: facts.board).map { place in
        (since: place.since, text: ", this one as number \(place.index + 1) for \(adapter[.name] ?? "?")")
      }
    }.first
    let count =
      "\(total(.slotsUsed)) of \(total(.slotsTotal)) connections are in use, \(CountText.of(others, "board")) "
      + "\(others == 1 ? "waits" : "wait")\(turn?.text ?? "")"
    let isFull = !adapters.isEmpty && total(.slotsUsed) >= total(.slotsTotal)
    if isFull || facts.reason == .noSlots {
      return .init(
        .waitingForSlot, reason: facts.reason, since: turn?.since ?? facts.reasonSince,
        "it is in range and no connection is free for it: \(count); add an adapter or a gateway, or disconnect other "
          + "boards")
    }
    return .init(
      .waitingToConnect, reason: facts.reason, since: turn?.since,
      "it is in range and waits for its turn to connect, as an adapter makes one connection at a time: \(count); look "
        + "again in a minute")
  }
}
