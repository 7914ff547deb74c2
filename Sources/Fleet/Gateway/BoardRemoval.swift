import FleetModel
import Logging
import Storage

/// Why an admitted board is removed; the type of the event that tells it.
enum BoardRemoval: String, Sendable {
  /// On command.
  case forgotten
  /// On command, and its address is not admitted again until another command names it.
  case blocked
  /// It joined by itself and was never connected.
  case expired

  /// Removes the board, if it is admitted, with its retained topics.
  func remove(_ board: BoardID, from gateway: isolated Gateway) async throws(StoreFailure) {
    let (boards, now) = (gateway.environment.store.boards, gateway.now)
    if self == .blocked {
      // First, so that the board does not join meanwhile.
      gateway.joining.block([board])
      do throws(StoreFailure) { try await boards.block(board, at: now) } catch {
        gateway.joining.unblock(board)
        throw error
      }
    } else {
      _ = try await boards.dismiss(board)
    }
    gateway.roster.dismiss(board)
    await gateway.reconcile()
    if gateway.memories.left[board] != nil { await MemoryKeeping.forget(board, for: gateway) }
    await gateway.publish(
      .boardForgotten, rawValue,
      fields: [
        "board": .string(board.description), "by": self == .expired ? "expiry" : "command",
      ])
  }

  /// Removes the boards that joined long ago and were never connected.
  static func removeExpired(from gateway: isolated Gateway) async {
    guard let expiry = gateway.configuration.admission.expiry else { return }
    let due = gateway.roster.expired(
      after: expiry, at: MaintenanceLoop.retentionTime(gateway),
      running: gateway.uptime - gateway.started.uptime)
    for board in await neverConnected(among: due, of: gateway) {
      let name = await gateway.supervisors[board]?.name ?? "\(board)"
      do throws(StoreFailure) { try await BoardRemoval.expired.remove(board, from: gateway) } catch {
        gateway.environment.log.error(
          "a board that was never connected cannot be removed",
          metadata: ["board": "\(board)", "name": "\(name)", "reason": "\(error)"])
      }
    }
  }

  /// Those that never answered who they are.
  static func neverConnected(among boards: [BoardID], of gateway: isolated Gateway) async -> [BoardID] {
    var found: [BoardID] = []
    for board in boards {
      guard let supervisor = gateway.supervisors[board] else { continue }
      if await supervisor.memory.description == nil { found.append(board) }
    }
    return found
  }
}
