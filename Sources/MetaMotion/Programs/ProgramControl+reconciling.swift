import BoardKit
import FleetModel

/// Bringing a board to what is wanted of it from link to link (MQTT contract 1.5, 7.4).
extension ProgramControl {
  /// Brings the board to `wanted`, as far as it can have that. What it holds already is adopted, whoever put it there.
  /// Boards of which nothing is wanted, and nothing is known to be left on, are not asked for their slots.
  func reconcile(_ wanted: BoardProgram, on board: Inventory) async throws(ProtocolFailure) -> ProgramApplied
  {
    if wanted.isEmpty, program.isEmpty, memory.places.isEmpty {
      try await recallMacros(on: board)
      return ProgramApplied()
    }
    try await recallMacros(on: board)
    let onBoard = try await resources(on: board, withLoggers: needsLoggers(for: wanted))
    recall(in: onBoard)
    let selection = ProgramSelection(wanted) { (program: BoardProgram) throws(CommandFailure) in
      let compiler = try compile(program, on: board)
      _ = try ProgramPlan(
        compiler, onBoard: onBoard, owned: owned, places: memory.places, capacity: board.capacity)
    }
    switch try await apply(selection.accepted, on: board) {
    case .success(let change):
      return ProgramApplied(
        differences: change.differences, refused: selection.refused, logged: logged,
        refusedLogs: selection.refusedLogs)
    case .failure(let failure):
      // It was judged by the same rules a moment ago.
      throw .unexpected(failure.message)
    }
  }
}
