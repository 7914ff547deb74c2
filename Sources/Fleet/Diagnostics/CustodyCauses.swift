import Dialects
import FleetModel

/// Causes about who looks after the board: nobody, or a gateway that is gone. Pure.
enum CustodyCauses {
  /// Empty where a gateway looks after it.
  static func causes(_ facts: ExplanationFacts) -> [Explanation.Cause] {
    if let withheld = withheld(facts) { return [withheld] }
    guard facts.documents != nil else {
      return unpublished(facts).map { [$0] } ?? [notAdmitted(facts)] + replacedDatabases(facts)
    }
    if let gone = gatewayStopped(facts) { return [gone] }
    if facts.availability == .moved {
      return [.init(.ownedElsewhere, since: facts.since, "another gateway has admitted it")]
    }
    if isDropped(facts) {
      return [
        .init(
          .notAdmitted,
          "the gateway \(facts.gatewayName) does not look after it any more: metafleet admit "
            + facts.board.address.colonSeparated)
      ]
    }
    return []
  }

  /// Its gateway lists it no longer. What the board's state says later than that list is newer: it was just admitted.
  private static func isDropped(_ facts: ExplanationFacts) -> Bool {
    guard let info = facts.gateway?.info, let boards = info[.boards],
      !boards.contains(facts.board.description)
    else {
      return false
    }
    guard let listed = info[.changed], let written = facts.state[.time] else { return true }
    return written <= listed
  }

  /// A gateway looks after it, and the broker has nothing of it.
  private static func unpublished(_ facts: ExplanationFacts) -> Explanation.Cause? {
    let id = facts.board.description
    let owner = facts.fleet.gateways.sorted { $0.key < $1.key }.first {
      $0.value.isOnline && $0.value.info?[.boards]?.contains(id) == true
    }
    return owner.map { name, gateway in
      let topic = gateway.info?[.refusedTopics]?.first { $0.contains("/board/\(id)/") }
      return .init(
        .brokerRefused, isFault: true,
        "the gateway \(name) looks after it, and nothing of it is on the broker\(topic.map { ", which refuses \($0)" } ?? ""): "
          + "check the broker's access rules for the gateway, and yours")
    }
  }

  private static func notAdmitted(_ facts: ExplanationFacts) -> Explanation.Cause {
    .init(
      .notAdmitted,
      "admit it: metafleet admit \(facts.board.address.colonSeparated); metafleet scan on the gateway's host shows "
        + "whether it is in range")
  }

  /// A gateway that lost its database has forgotten the boards that were admitted by command.
  private static func replacedDatabases(_ facts: ExplanationFacts) -> [Explanation.Cause] {
    facts.fleet.gateways.sorted { $0.key < $1.key }.compactMap { name, gateway in
      guard gateway.isOnline, let place = gateway.info?[.replacedDatabase] else { return nil }
      return DeliveryCauses.databaseReplaced(of: name, place)
    }
  }

  private static func withheld(_ facts: ExplanationFacts) -> Explanation.Cause? {
    for (name, gateway) in facts.fleet.gateways.sorted(by: { $0.key < $1.key }) {
      guard gateway.isOnline, gateway.info?[.withheld]?.contains(facts.board) == true else { continue }
      return .init(
        .withheld,
        "the gateway \(name) leaves it alone, because its configuration file lists it no longer, with others: list it "
          + "again and reload; or, if it is meant, metafleet send gateway:\(name) reload confirm=\(name)")
    }
    return nil
  }

  private static func gatewayStopped(_ facts: ExplanationFacts) -> Explanation.Cause? {
    guard facts.gateway?.isOnline != true else { return nil }
    let (name, place) = (facts.gatewayName, facts.place)
    guard let availability = facts.gateway?.availability else {
      return .init(
        .gatewayStopped,
        "the gateway \(name) is not on this broker: start it\(place), or check its mqtt.host; metafleet admit on "
          + "another gateway takes the board over")
    }
    let why =
      availability[.reason] == "stopped"
      ? "was stopped: start it\(place): systemctl start metafleet"
      : "went offline without disconnecting: it crashed, or lost power, the network or the broker; check\(place): "
        + "journalctl -u metafleet"
    return .init(.gatewayStopped, since: availability[.since], "the gateway \(name) \(why)")
  }
}
