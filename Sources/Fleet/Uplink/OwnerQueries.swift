import FleetModel

/// Who asks the broker whose boards are, and which other gateways there are. Pure.
struct OwnerQueries: Sendable {
  private struct Lookup {
    var askers = 0
    var owner: String?
  }

  /// Boards that commands asked for, that are not ours, and whose owner is being found out.
  private var boards: [BoardID: Lookup] = [:]
  private var gatewayAskers = 0
  private var gateways: Set<String> = []

  mutating func begin(_ board: BoardID) { boards[board, default: Lookup()].askers += 1 }

  /// A document of a board names its gateway, or none.
  mutating func saw(_ board: BoardID, owner: @autoclosure () -> String?) {
    if boards[board] != nil { boards[board]?.owner = owner() }
  }

  /// Whether nobody else asks for the same.
  func isLast(_ board: BoardID) -> Bool { boards[board]?.askers == 1 }

  /// One asker has its answer: the board's gateway, nil where nobody has spoken of it.
  mutating func end(_ board: BoardID) -> String? {
    let owner = boards[board]?.owner
    boards[board]?.askers -= 1
    if boards[board]?.askers == 0 { boards[board] = nil }
    return owner
  }

  mutating func beginGateways() { gatewayAskers += 1 }

  mutating func saw(gateway: String) { if gatewayAskers > 0 { gateways.insert(gateway) } }

  var isLastForGateways: Bool { gatewayAskers == 1 }

  /// Whether there are others.
  mutating func endGateways() -> Bool {
    defer {
      gatewayAskers -= 1
      if gatewayAskers == 0 { gateways = [] }
    }
    return !gateways.isEmpty
  }
}
