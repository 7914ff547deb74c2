import Dialects
import FleetModel

/// Causes about what becomes of data behind the board: the gateway's disk, database, file and clock, and the broker.
/// Pure.
enum DeliveryCauses {
  static func causes(_ facts: ExplanationFacts) -> [Explanation.Cause] {
    [
      storage(facts), keptStreams(facts), brokerRefused(facts), replacedDatabase(facts),
      configurationError(facts),
      clockUnset(facts), firmwareCheck(facts),
    ].compactMap { $0 }
  }

  private static func storage(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard let health = facts.gateway?.health else { return nil }
    // Gateways of before tell a flag only.
    let condition = health[.storage] ?? (health[.storageOK] == 0 ? .full : .fine)
    switch condition {
    case .fine: return nil
    case .slow, .beingRead: return .init(.storageSlow, condition.advice)
    default: return .init(.storageFull, condition.advice)
    }
  }

  private static func keptStreams(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard let health = facts.gateway?.health, health[.keptOK] == 0 else { return nil }
    let isLow = (health[.storage] ?? .fine) > .slow
    return KeptStreamsStatus.advice(isLow ? .dropped : .cut).map { .init(.streamsNotKept, $0) }
  }

  private static func brokerRefused(_ facts: ExplanationFacts) -> Explanation.Cause? {
    let topics = facts.gateway?.info?[.refusedTopics] ?? []
    let own = topics.filter { $0.contains("/board/\(facts.board)/") }
    guard let topic = own.first ?? topics.first(where: { !$0.contains("/board/") }) else { return nil }
    return .init(
      .brokerRefused, isFault: !own.isEmpty,
      "the broker refuses \(topic): check the broker's access rules for the gateway, and its limits")
  }

  private static func replacedDatabase(_ facts: ExplanationFacts) -> Explanation.Cause? {
    facts.gateway?.info?[.replacedDatabase].map { databaseReplaced(of: facts.gatewayName, $0) }
  }

  static func databaseReplaced(of gateway: String, _ place: String) -> Explanation.Cause {
    .init(
      .databaseReplaced,
      "the database of the gateway \(gateway) was damaged and a new one begun: admit boards again that were admitted by "
        + "command, or put a backup back; \(place) is the old one, and this is told until it is moved away and the gateway "
        + "restarted")
  }

  private static func configurationError(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard let error = facts.gateway?.info?[.configurationError] else { return nil }
    return .init(
      .configurationError,
      "the gateway \(facts.gatewayName) does not obey its configuration file as it is now: \(error); correct it, then "
        + "metafleet send gateway:\(facts.gatewayName) reload")
  }

  private static func clockUnset(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard facts.gateway?.health?[.clockSynced] == 0 else { return nil }
    return .init(
      .clockUnset, "the gateway's clock is not synchronised, so time stamps may be wrong: timedatectl")
  }

  private static func firmwareCheck(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard let document = facts.documents?.firmware, let error = document[.trouble] else { return nil }
    // What stands in the way of the newest is known from a check that went well.
    if document[.isCheckOK] == true, document[.latest] != nil { return nil }
    return .init(
      .firmwareCheckFailing, since: document[.checked],
      "whether there is newer firmware is not known: \(error)")
  }
}
