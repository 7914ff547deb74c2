package import Dialects
package import FleetModel

/// Explains from recorded facts alone why data of a board are received, or not. Pure: documents in, words out.
///
/// The kinds of causes have files of their own: `CustodyCauses`, `OrderCauses`, `RadioCauses`, `LinkCauses`,
/// `DataCauses`, `SetupCauses`, `DeliveryCauses`.
package struct ExplanationRule {
  private let facts: ExplanationFacts

  package init(board: BoardID, fleet: FleetView, now: Timestamp, heard: ReceivedTraffic? = nil) {
    facts = ExplanationFacts(board: board, fleet: fleet, now: now, heard: heard)
  }

  /// The explanation.
  package func explain() -> Explanation {
    let custody = CustodyCauses.causes(facts)
    // What is recorded of a board that nobody looks after is only on paper.
    if let first = custody.first {
      return Explanation(summary: "no data: \(first.code.inShort)", hasData: false, causes: custody, next: [])
    }
    let hasData = facts.hasData
    let ordered = OrderCauses.cause(facts)
    let obstacles = ordered.map { [$0] } ?? radioAndLink
    var causes =
      obstacles + DataCauses.causes(facts) + SetupCauses.causes(facts) + DeliveryCauses.causes(facts)
    if !hasData, !causes.contains(where: \.isFault) {
      causes.insert(Explanation.Cause(.unknownState, Self.unknown), at: 0)
    }
    return Explanation(summary: summary(hasData), hasData: hasData, causes: causes, next: next)
  }

  private static let unknown =
    "the documents on the broker do not say what the board does: look again in a minute; if that lasts, update metafleet "
    + "here and on the gateway's host"

  /// What is wrong with Bluetooth as a whole hides what is wrong with one board.
  private var radioAndLink: [Explanation.Cause] {
    if let cause = RadioCauses.cause(facts) { return [cause] }
    let link = LinkCauses.cause(facts).map { [$0] } ?? []
    guard let scan = RadioCauses.scan(facts) else { return link }
    // Nothing at all is received and nobody is connected: the adapter comes first, unless all has just begun.
    return facts.isAnotherConnected || link.first?.code == .starting ? link + [scan] : [scan] + link
  }

  private func summary(_ hasData: Bool) -> String {
    let phase = facts.link.map { $0.rawValue } ?? "state unknown"
    guard hasData else { return "no data (\(phase))" }
    guard let heard = facts.heard else { return "receiving data (\(phase))" }
    if heard.streams.isEmpty {
      return "\(phase), but no live sample was received within \(DurationText.format(heard.span))"
    }
    return "receiving data (\(phase)), just now \(heard.streams.sorted().joined(separator: ", "))"
  }

  private var next: [Explanation.Step] {
    guard !facts.isConnected else { return [] }
    if let end = facts.state[.until], end > facts.now {
      return [.init(time: end, text: "the gateway connects to it again")]
    }
    // Without a radio nobody is called offline: it is not known.
    if facts.availability == .busLost || facts.availability == .noAdapter { return [] }
    guard let due = facts.state[.nextContact], due > facts.now else { return [] }
    let text =
      facts.isBetweenVisits
      ? "the gateway connects to it for its visit"
      : "it becomes offline if no advertisement is received by then"
    return [.init(time: due, text: text)]
  }
}

extension Explanation.Code {
  /// For the summary of a board that nobody looks after.
  fileprivate var inShort: String {
    switch self {
    case .notAdmitted: "no gateway has admitted it"
    case .withheld: "its gateway leaves it alone"
    case .ownedElsewhere: "another gateway has it"
    case .brokerRefused: "nothing of it is on the broker"
    default: "its gateway is offline"
    }
  }
}
