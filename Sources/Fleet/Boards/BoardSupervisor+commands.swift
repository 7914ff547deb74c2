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

  /// Waits for a link, and for the turn where there is one. Whether both came in time.
  func waits(
    until expires: Timestamp, isQueued: Bool, turn: CommandSequence.Turn?,
    queued: (@Sendable (Timestamp?) async -> Void)?
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      commands.wait(
        LinkWaiter(
          deadline: uptime + (expires - now), isQueued: isQueued, turn: turn, queued: queued,
          continuation: continuation))
      dueWorkWaker.wake()
      if !isQueued { connectionWaker.wake() }
    }
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
