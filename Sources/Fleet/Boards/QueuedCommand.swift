import FleetModel

/// A command that waits for its turn and for a link, and begins anew on the next link while the board has not heard of
/// it.
struct QueuedCommand: Sendable {
  var intent: BoardIntent
  var turn: CommandSequence.Turn
  var expires: Timestamp
  /// Whether it waits for the next contact, whenever that is.
  var isQueued: Bool
  var stages: CommandProgress

  func run(by supervisor: isolated BoardSupervisor) async -> CommandOutcome {
    let stages = noting(supervisor)
    while true {
      guard let session = await session(of: supervisor) else { return .failed(supervisor.noLink()) }
      guard supervisor.now < expires else {
        return .failed(CommandFailure(.expired, "it expired while other commands of the board were running"))
      }
      let outcome = await BoardCommandExecution(session: session, expires: expires, stages: stages)
        .carryOut(intent, by: supervisor)
      guard case .failed(let failure) = outcome, failure.code == .unreachable,
        !supervisor.commands.turns.isSent
      else { return outcome }
      // The link went before the first byte: in its old place it waits for the next one.
      if session === supervisor.link.session { supervisor.link.isReady = false }
      supervisor.commands.giveBack(turn)
    }
  }

  /// The same stages, with a note of when the board is about to hear of it.
  private func noting(_ supervisor: BoardSupervisor) -> CommandProgress {
    var noting = stages
    let (turn, stages) = (turn, stages)
    noting.sent = {
      await supervisor.noteSent(turn)
      return await stages.sent()
    }
    noting.note = { progress in
      if progress.isRunning { await supervisor.noteSent(turn) }
      return await stages.note(progress)
    }
    return noting
  }

  /// The session once it is this command's turn and the board can take it; nil when that did not come in time.
  private func session(of supervisor: isolated BoardSupervisor) async -> BoardSession? {
    while true {
      if supervisor.link.isReady, let session = supervisor.link.session, supervisor.commands.begins(turn) {
        return session
      }
      // Whoever only waits for others finds the board there.
      if !supervisor.link.isReady, supervisor.cannotConnect(isQueued: isQueued) { return nil }
      guard
        await LinkWaiter.wait(
          until: expires, isQueued: isQueued, turn: turn, queued: isQueued ? stages.queued : nil,
          for: supervisor)
      else { return nil }
      if supervisor.link.isReady, let session = supervisor.link.session { return session }
      // It went again before the command could begin.
      supervisor.commands.giveBack(turn)
    }
  }
}
