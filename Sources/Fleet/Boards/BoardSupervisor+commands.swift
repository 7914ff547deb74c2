import BoardKit
import FleetModel

/// How commands come to the board: in turn, once there is a link.
extension BoardSupervisor: CommandedBoard {
  func takeTurn() -> CommandSequence.Turn { commands.take() }

  func commandTargetStatus() -> TargetStatus {
    TargetStatus(
      groups: setup.desired.groups, chains: desiredSetup.chains, adapter: state.adapter,
      isReachable: link.isReady, nextContact: plannedContact)
  }

  func perform(
    _ intent: BoardIntent, turn: CommandSequence.Turn, expires: Timestamp, mode: CommandRequest.Mode,
    _ stages: CommandProgress
  ) async -> CommandOutcome {
    defer {
      commands.leave(turn)
      serveNextTurn()
    }
    if let retirement { return .failed(retirement) }
    if let known = await KnownAnswer.find(for: intent, stages, by: self) { return known }
    commands.enter()
    dueWorkWaker.wake()
    defer {
      commands.exit()
      dueWorkWaker.wake()
    }
    return await QueuedCommand(
      intent: intent, turn: turn, expires: expires, isQueued: mode == .queue, stages: stages
    ).run(by: self)
  }

  func withdraw(_ turn: CommandSequence.Turn) { commands.withdraw(turn) }

  /// The board is about to hear of it.
  func noteSent(_ turn: CommandSequence.Turn) { commands.sent(turn) }

  /// Lets the next command begin where the board is there and no other runs.
  private func serveNextTurn() {
    if link.isReady { commands.serve() }
  }

  func cannotConnect(isQueued: Bool) -> Bool {
    link.cannotConnect(isQueued: isQueued, isEnabled: setup.desired.isEnabled)
  }

  /// Why a command did not begin before it expired.
  func noLink() -> CommandFailure {
    link.noLink(
      isBusy: commands.turns.current != nil, isEnabled: setup.desired.isEnabled,
      isRadioUsable: isRadioUsable)
  }
}
