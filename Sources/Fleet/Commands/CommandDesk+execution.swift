import FleetModel
import Storage

/// Carrying commands out.
extension CommandDesk {
  /// Gives a board's command its turn, in the order of arrival.
  func takeTurn(_ key: CommandEntry.Key) async {
    guard case .board(let board) = live[key]?.request.target else { return }
    // Not in one expression: the table must not be held open while others change it.
    let turn = await routes?.board(board)?.takeTurn()
    live[key]?.turn = turn
  }

  func execute(_ key: CommandEntry.Key) async {
    guard let command = live[key] else { return }
    let outcome: CommandOutcome
    switch command.request.target {
    case .board(let board): outcome = await perform(command, at: board, stages(of: key))
    case .gateway: outcome = await performHere(command, stages(of: key))
    case .group: outcome = .failed(CommandFailure(.internal, "a group's job is no command"))
    }
    admission.finished(command.admitted.place, at: timekeeper.uptime)
    await conclude(key, outcome)
    live[key] = nil
  }

  private func perform(_ command: Live, at board: BoardID, _ stages: CommandStages) async -> CommandOutcome {
    guard let addressee = await routes?.board(board), let turn = command.turn else {
      return .failed(CommandFailure(.unreachable, "the board was forgotten meanwhile"))
    }
    return await addressee.perform(
      command.admitted.intent, turn: turn, expires: command.request.expires, mode: command.request.mode,
      stages)
  }

  private func performHere(_ command: Live, _ stages: CommandStages) async -> CommandOutcome {
    guard await stages.sent() else { return .failed(.cancelled) }
    if case .cancel(let id) = command.admitted.intent { return await cancel(id) }
    return await routes?.gateway(command.admitted.intent, stages)
      ?? .failed(CommandFailure(.internal, "the gateway is not ready"))
  }

  private func stages(of key: CommandEntry.Key) -> CommandStages {
    CommandStages(
      sent: { await self.sent(key) },
      queued: { eta in await self.queued(key, until: eta) },
      progress: { percent, eta in await self.advance(key, .progress(percent: percent, eta: eta)) })
  }

  /// Whether a command may go to its board. Decided before anything is waited for, so that it is either cancelled or sent.
  private func sent(_ key: CommandEntry.Key) async -> Bool {
    guard let command = live[key], !command.isCancelled else { return false }
    live[key]?.isSent = true
    let isStored = await records.sent(command.request)
    await routes?.published()
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
    await records.advance(command.request, stage)
    await routes?.published()
  }

  /// The one final answer of a command. False when it has one: it was cancelled.
  @discardableResult
  func conclude(_ key: CommandEntry.Key, _ outcome: CommandOutcome) async -> Bool {
    guard let command = live[key], await records.conclude(command.request, outcome) else { return false }
    await routes?.published()
    if let job = command.job, case .board(let board) = command.request.target {
      ended(board, GroupJob.Result(outcome), of: job)
    }
    return true
  }
}

extension CommandFailure {
  /// Taken back before it was begun (MQTT contract 4.1).
  static let cancelled = CommandFailure(.expired, "cancelled")
}
