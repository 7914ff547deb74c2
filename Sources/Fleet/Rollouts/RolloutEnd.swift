import FleetModel

/// How the update of a board ended, by the answer to its command and by where the board is. Pure.
enum RolloutEnd {
  /// What the answer to the command says; nil where only the board itself tells it, later. A board that somebody has
  /// given the `version` meanwhile has it.
  static func result(
    of outcome: CommandOutcome, _ board: RolloutBoard?, wanting version: String?
  ) -> Rollout.Result? {
    switch board?.update {
    case .stranded(let reason): return .stranded(reason)
    // Whoever waited is gone, and the update is not.
    case .underWay: return nil
    case nil: break
    }
    switch outcome {
    case .done: return .done
    case .failed(let failure) where failure.code == .invalid && version != nil && board?.installed == version:
      return .done
    case .failed(let failure) where isWithdrawal(failure): return .withdrawn(failure.message)
    case .failed(let failure):
      return isPostponement(failure.code) ? .postponed(failure.message) : .failed(failure.message)
    case .unknown(let message): return board == nil ? .failed(message) : nil
    }
  }

  /// What a command that ended in an earlier run of the gateway says by itself; nil where the board has to tell.
  static func result(ofStored outcome: CommandOutcome) -> Rollout.Result? {
    switch outcome {
    case .done: .done
    case .failed(let failure) where isWithdrawal(failure): .withdrawn(failure.message)
    case .failed(let failure) where isPostponement(failure.code): .postponed(failure.message)
    case .failed, .unknown: nil
    }
  }

  /// What a board says of which no command is under way any more; nil where it has to be waited for.
  static func event(of board: BoardID, _ found: RolloutBoard?, isOverdue: Bool) -> Rollout.Event? {
    guard let found else { return .removed(board) }
    switch found.update {
    case .stranded(let reason): return .ended(board, .stranded(reason))
    case .underWay: return nil
    case nil: break
    }
    if found.isAnswering, let installed = found.installed { return .found(board, installed) }
    // It is away, and keeps nobody else from its adapter.
    return isOverdue ? .ended(board, .failed("it was not heard again")) : nil
  }

  /// Somebody asked for that end of it: by `cancel`, or by `firmware-abort`.
  private static func isWithdrawal(_ failure: CommandFailure) -> Bool {
    [.cancelled, BoardUpdate.aborted].contains { $0.code == failure.code && $0.message == failure.message }
  }

  /// Nothing was written to the board, and another time it may be had.
  private static func isPostponement(_ code: CommandFailure.Code) -> Bool {
    switch code {
    // Of the gateway's own: its disk takes nothing.
    case .unreachable, .expired, .busy, .undownloadedData, .lowBattery, .noSlots, .internal: true
    case .invalid, .denied, .retained, .duplicateIDMismatch, .unsupported, .boardError, .notPublished: false
    }
  }
}

extension CommandOutcome {
  /// How a command ended by its stored final answer.
  init(stored reply: JSONObject) {
    let message = reply["message"]?.string ?? ""
    switch reply["stage"]?.string {
    case "done": self = .done(evidence: nil, data: [:])
    case "failed":
      let code = reply["code"]?.string.flatMap(CommandFailure.Code.init) ?? .internal
      self = .failed(CommandFailure(code, message))
    default: self = .unknown(message: message)
    }
  }
}
