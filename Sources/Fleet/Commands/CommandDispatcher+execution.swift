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
      sent: { await self.sent(key) },
      queued: { eta in await self.queued(key, until: eta) },
      progress: { percent, eta in await self.advance(key, .progress(percent: percent, eta: eta)) },
      note: { progress in await self.note(progress, of: key) })
  }

  /// Writes down how far a batch has come, and says so at most once a second. Its first command is begun by what sends
  /// the whole.
  private func note(_ progress: BatchProgress, of key: CommandEntry.Key) async -> Bool {
    guard let command = live[key], !(progress.isRunning && command.isCancelled) else { return false }
    live[key]?.batch = progress
    guard command.isSent else { return progress.isRunning ? await sent(key) : true }
    let isDue = mayTellProgress(of: key)
    let isStored = await records.advance(
      command.request, .progress(percent: progress.percent(), eta: nil), data: progress.data,
      silently: !isDue)
    if isDue { await routes.published() }
    return isStored
  }

  /// Whether a batch's progress may be told now; taken as done.
  private func mayTellProgress(of key: CommandEntry.Key) -> Bool {
    if let last = live[key]?.publishedAt, timekeeper.uptime < last + Self.batchPause { return false }
    live[key]?.publishedAt = timekeeper.uptime
    return true
  }

  /// Progress of a batch is told at most so often (MQTT contract 3.1).
  private static let batchPause = Duration.seconds(1)

  /// Whether a command may go to its board. Decided before anything is waited for, so that it is either cancelled or
  /// sent.
  private func sent(_ key: CommandEntry.Key) async -> Bool {
    guard let command = live[key], !command.isCancelled else { return false }
    live[key]?.isSent = true
    let isStored = await records.sent(command.request, data: live[key]?.batch?.data ?? JSONObject())
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
    guard let batch = command.batch else {
      await records.advance(command.request, stage)
      return await routes.published()
    }
    // What its commands have come to must stay in the ledger.
    let isSilent = command.isSent && !mayTellProgress(of: key)
    await records.advance(command.request, stage, data: batch.data, silently: isSilent)
    await routes.published()
  }

  /// The one final answer of a command. False when it has one: it was cancelled.
  @discardableResult
  func conclude(_ key: CommandEntry.Key, _ outcome: CommandOutcome) async -> Bool {
    guard let command = live[key],
      await records.conclude(command.request, outcome, data: command.batch?.data ?? JSONObject())
    else { return false }
    await routes.published()
    if let job = command.job, case .board(let board) = command.request.target {
      ended(board, GroupJob.Result(outcome), of: job)
    }
    return true
  }
}
