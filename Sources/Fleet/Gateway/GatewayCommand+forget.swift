import BoardKit
import Dialects
import FleetModel
import Storage

/// Removing boards that were admitted at run time.
extension GatewayCommand {
  func forget(_ request: ForgetRequest, _ gateway: isolated Gateway) async -> CommandOutcome {
    let boards: [BoardID]
    var data = JSONObject()
    switch request.target {
    case .board(let board):
      if let failure = gateway.listed(board) { return .failed(failure) }
      guard request.blocks || gateway.roster.isAdmitted(board) || gateway.memories.left[board] != nil else {
        return .failed(.invalid("the board is not admitted; metafleet boards lists those that are"))
      }
      boards = [board]
      data["board"] = .string(board.description)
    case .adapter(let adapter): return await forget(adapter, gateway)
    case .neverConnected:
      boards = await BoardRemoval.neverConnected(among: gateway.roster.admittedAtRunTime, of: gateway)
      data["boards"] = .array(boards.map { .string($0.description) })
    }
    var count = 0
    for board in boards {
      let wasAdmitted = gateway.roster.isAdmitted(board)
      do throws(StoreFailure) {
        try await (request.blocks ? BoardRemoval.blocked : .forgotten).remove(board, from: gateway)
      } catch {
        return .failed(CommandFailure(.internal, "the admission of \(board) cannot be removed: \(error)"))
      }
      if wasAdmitted { count += 1 }
    }
    data["topics_cleared"] = .integer(Int64(count * gateway.services.topics.documentsPerBoard))
    if request.keepsData { return .done(evidence: nil, data: data) }
    return await deleteLogs(of: boards, data, gateway)
  }

  /// An adapter that is there would be told of again at once.
  private func forget(_ adapter: AdapterID, _ gateway: isolated Gateway) async -> CommandOutcome {
    if let status = gateway.radio.adapters[adapter], status.state != .missing {
      return .failed(
        .invalid("\(status.name) (\(adapter)) is \(status.state.rawValue), not missing; unplug it first"))
    }
    guard await AdapterRemoval.remove(adapter, by: "command", from: gateway) else {
      let known = gateway.radio.adapters.keys.sorted().map(\.description)
      return .failed(.invalid(Suggestion.missing("adapter", "\(adapter)", among: known)))
    }
    return .done(
      evidence: nil, data: ["adapter": .string(adapter.description), "topics_cleared": 1])
  }

  /// Nothing is archived for the boards any more: their supervisors are gone.
  private func deleteLogs(
    of boards: [BoardID], _ told: JSONObject, _ gateway: isolated Gateway
  ) async -> CommandOutcome {
    var data = told
    var (entries, undelivered) = (0, 0)
    for board in boards {
      do throws(StoreFailure) {
        let left = try await gateway.environment.store.logs.forget(board)
        entries += left.entries
        undelivered += left.undelivered
        _ = try await gateway.environment.store.kept.delete(
          gateway.environment.store.kept.streams(of: board).map(\.id))
      } catch {
        let message = "\(board) is removed, but its logged data cannot be deleted: \(error)"
        return .failed(CommandFailure(.internal, message, data: data))
      }
    }
    data["entries"] = .integer(Int64(entries))
    data["undelivered"] = .integer(Int64(undelivered))
    gateway.services.logs?.archiveGrew()
    await MaintenanceLoop.cleanStore(gateway)
    return .done(evidence: nil, data: data)
  }
}
