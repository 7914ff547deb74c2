import Dialects
import FleetModel

/// A fleet in one sentence, counted from the boards that are listed. Pure.
struct FleetSummary {
  let boards: [FleetView.Board]
  let fleet: FleetView

  private var conditions: [BoardCondition] { boards.map { BoardCondition($0, in: fleet) } }

  /// How many can be counted on.
  var online: Int { conditions.count(where: \.isOnline) }
  /// Of how many something is not as it should be.
  var troubled: Int { conditions.count { !$0.troubles.isEmpty } }

  /// `60 boards: 55 online, 3 offline, 2 unknown; gateway sec is offline for 2m (30 boards)`
  func sentence(now: Timestamp) -> String {
    let reachable = conditions.filter { !$0.isGatewayOffline }
    let states: [(Availability.State?, String)] = [
      (.online, "online"), (.offline, "offline"), (.unknown, "unknown"), (nil, "not known yet"),
    ]
    let counts = states.compactMap { state, word -> String? in
      let count = reachable.count { $0.board.availability?[.state] == state }
      return count > 0 ? "\(count) \(word)" : nil
    }
    let dead = Dictionary(grouping: conditions.filter(\.isGatewayOffline)) { $0.board.gateway ?? "" }
    let gateways = dead.sorted { $0.key < $1.key }.map { id, conditions in
      let since = fleet.gateways[id]?.availability?[.since].map { " for \(Age.text(of: now - $0))" } ?? ""
      let name = id.isEmpty ? "without a gateway:" : "gateway \(printable(id)) is offline\(since):"
      return "\(name) \(CountText.of(conditions.count, "board"))"
    }
    let total = CountText.of(boards.count, "board")
    return ([counts.isEmpty ? total : "\(total): \(counts.joined(separator: ", "))"] + gateways)
      .joined(separator: "; ")
  }

  /// Why nothing is listed, and what to do.
  static func emptiness(of fleet: FleetView, _ filter: BoardFilter) -> String {
    if !fleet.boards.isEmpty {
      return
        "none of \(CountText.of(fleet.boards.count, "board")) is \(filter.words.isEmpty ? "listed" : filter.words)"
    }
    if fleet.gateways.isEmpty {
      return
        "no gateway has spoken on this broker yet; start one: metafleet run; \(BrokerExplanation.silence)"
    }
    let offline = fleet.gateways.values.allSatisfy { !$0.isOnline }
    return
      "no board is admitted\(offline ? ", and no gateway is online" : ""); metafleet scan shows what is in range"
  }
}
