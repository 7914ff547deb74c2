import FleetModel

/// All boards of a gateway, for a rollout.
struct RolloutFleet: Hashable, Sendable {
  var boards: [BoardID: RolloutBoard] = [:]
  /// Boards that are left alone until somebody confirms that they go; they are not gone.
  var withheld: Set<BoardID> = []

  static func look(at gateway: isolated Gateway) async -> RolloutFleet {
    var fleet = RolloutFleet()
    for supervisor in gateway.supervisorsInOrder {
      fleet.boards[supervisor.board] = await RolloutBoard.look(at: supervisor)
    }
    fleet.withheld = gateway.roster.unconfirmed
    return fleet
  }

  /// Over which adapter each board could be updated now. While one board is updated over an adapter, no other is.
  var adapters: [BoardID: AdapterID] {
    let busy = Set(boards.values.filter { $0.update == .underWay }.compactMap(\.adapter))
    let available = boards.filter { $0.value.isAvailable }.compactMapValues(\.adapter)
    return available.filter { !busy.contains($0.value) }
  }
}
