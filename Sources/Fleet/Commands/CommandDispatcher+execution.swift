import FleetModel
import Storage

/// Carrying commands out.
extension CommandDispatcher {
  /// Gives a board's command its turn, in the order of arrival.
  func takeTurn(_ key: CommandEntry.Key) async {
    // Not in one expression: the table must not be held open while others change it.
    let board = live[key]?.board
    let turn = await board?.takeTurn()
    live[key]?.turn = turn
  }

  func execute(_ key: CommandEntry.Key) async {
    guard let command = live[key] else { return }
    let outcome: CommandOutcome
    let stages = stages(of: key)
    switch command.admitted.intent {
    case .board(let intent): outcome = await perform(intent, command, stages)
    case .gateway(let intent):
      outcome = await stages.sent() ? await routes.gateway(intent, stages) : .failed(.cancelled)
    case .cancel(let id): outcome = await stages.sent() ? await cancel(id) : .failed(.cancelled)
    }
    admission.finished(command.admitted.place, at: timekeeper.uptime)
    await conclude(key, outcome)
    live[key] = nil
  }

  private func perform(_ intent: BoardIntent, _ command: LiveCommand, _ stages: CommandProgress) async
    -> CommandOutcome
  {
    guard let board = command.board, let turn = command.turn else {
      return .failed(CommandFailure(.internal, "a verb of boards has no board"))
    }
    return await board.perform(
      intent, turn: turn, expires: command.request.expires, mode: command.request.mode, stages)
  }

  private func stages(of key: CommandEntry.Key) -> CommandProgress {
    CommandProgress(
      sender: live[key]?.request.sender ?? [], sent: { await self.sent(key) },
      queued: { eta in await self.queued(key, until: eta) },
      progress: { percent, eta in await self.advance(key, .progress(percent: percent, eta: eta)) },
      note: { progress in await BatchRecord.note(progress, of: key, self) })
  }

  /// Whether a command may go to its board. Decided before anything is waited for, so that it is either cancelled or
  /// sent.
  func sent(_ key: CommandEntry.Key) async -> Bool {
    guard let command = live[key], !command.isCancelled else { return false }
    live[key]?.isSent = true
    let isStored = await records.sent(command.request, data: live[key]?.results ?? [:])
    await routes.published()
    return isStored
  }

  /// Of a board that nobody knows when to expect, one thing is certain: there is an answer when the command expires.
  private func queued(_ key: CommandEntry.Key, until contact: Timestamp?) async {
    guard let expiry = live[key]?.request.expires else { return }
    await advance(key, .queued(eta: contact ?? expiry))
  }

  private func advance(_ key: CommandEntry.Key, _ stage: CommandReply.Stage) async {
    guard let command = live[key], !command.isCancelled else { return }
    if case .queued = stage, command.isSent { return }
    if command.batch != nil { return await BatchRecord.advance(key, stage, self) }
    await records.advance(command.request, stage)
    await routes.published()
  }

  /// The one final answer of a command. False when it has one: it was cancelled.
  @discardableResult
  func conclude(_ key: CommandEntry.Key, _ outcome: CommandOutcome) async -> Bool {
    guard let command = live[key],
      await records.conclude(command.request, outcome, data: command.results)
    else { return false }
    await routes.published()
    if let job = command.job, case .board(let board) = command.request.target {
      ended(board, GroupJob.Result(outcome), of: job)
      await routes.memberEnded(board, outcome, job)
    }
    return true
  }
}
