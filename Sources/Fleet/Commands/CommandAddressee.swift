import FleetModel

/// Who was found behind a target, once for all that follows.
enum CommandAddressee: Sendable {
  case board(any CommandedBoard)
  /// The boards of ours that are in the group, with the groups of each.
  case group([BoardID: [String]])
  case gateway

  var board: (any CommandedBoard)? { if case .board(let board) = self { board } else { nil } }

  func targetStatus() async -> TargetStatus {
    switch self {
    case .board(let board): await board.commandTargetStatus()
    case .group(let members): TargetStatus(members: members)
    case .gateway: TargetStatus()
    }
  }
}

extension CommandRoutes {
  /// Who is behind a target; nil when there is nobody.
  func addressee(of target: CommandTarget) async -> CommandAddressee? {
    switch target {
    case .board(let board): return await self.board(board).map { .board($0) }
    case .group(let name):
      let members = await members(name)
      return members.isEmpty ? nil : .group(members)
    case .gateway: return .gateway
    }
  }
}

extension CommandFailure {
  /// There is nobody behind a target.
  static func nobody(at target: CommandTarget) -> CommandFailure {
    if case .group = target {
      return CommandFailure(
        .unreachable, "no admitted board is in the group; see groups in the configuration")
    }
    return CommandFailure(.unreachable, "the board is not admitted; metafleet admit it first")
  }
}
