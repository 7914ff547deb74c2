import FleetModel
import Logging
import Storage

/// Keeps, hands out and removes what is remembered of boards; for how long, `BoardMemories` says.
enum MemoryKeeping {
  /// What is remembered of a board that is to be looked after.
  static func memory(of board: BoardID, for gateway: isolated Gateway) async -> BoardMemory? {
    guard gateway.memories.left[board] != nil else { return gateway.memories.take(board) }
    do throws(StoreFailure) { return try await gateway.environment.store.boards.memory(of: board) } catch {
      note("what was remembered of a board cannot be read", board, error, gateway)
      return nil
    }
  }

  /// It is looked after.
  static func comeBack(_ board: BoardID, for gateway: isolated Gateway) async {
    guard gateway.memories.left[board] != nil else { return }
    gateway.memories.forget(board)
    do throws(StoreFailure) { try await gateway.environment.store.boards.comeBack(board) } catch {
      note("the return of a board cannot be stored", board, error, gateway)
    }
  }

  /// The file lists it no longer: what is remembered of it is kept for when it comes back.
  static func leave(_ board: BoardID, for gateway: isolated Gateway) async {
    gateway.environment.log.notice(
      "the file lists a board no longer; what is remembered of it is kept for 30 days, in case it comes back",
      metadata: ["board": "\(board)"])
    await stamp(board, gateway)
  }

  /// Nothing is remembered of it any more.
  static func forget(_ board: BoardID, for gateway: isolated Gateway) async {
    gateway.memories.forget(board)
    gateway.roster.choose(nil, for: board)
    do throws(StoreFailure) { try await gateway.environment.store.boards.forgetMemory(of: board) } catch {
      note("the stored state of a board cannot be removed", board, error, gateway)
    }
  }

  /// Forgets those that did not come back.
  static func forgetExpired(for gateway: isolated Gateway) async {
    for board in gateway.memories.undated(at: gateway.now) { await stamp(board, gateway) }
    for board in gateway.memories.expired(at: MaintenanceLoop.retentionTime(gateway)) {
      await forget(board, for: gateway)
    }
  }

  private static func stamp(_ board: BoardID, _ gateway: isolated Gateway) async {
    let now = gateway.now
    gateway.memories.leave(board, at: now)
    do throws(StoreFailure) { try await gateway.environment.store.boards.leave(board, at: now) } catch {
      note("it cannot be stored that a board left", board, error, gateway)
    }
  }

  private static func note(
    _ event: Logger.Message, _ board: BoardID, _ failure: StoreFailure, _ gateway: isolated Gateway
  ) {
    gateway.environment.log.error(event, metadata: ["board": "\(board)", "reason": "\(failure)"])
  }
}
