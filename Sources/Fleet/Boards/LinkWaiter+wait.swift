import FleetModel

extension LinkWaiter {
  /// Waits for a link to the board, and for the command's turn where it has one. Whether both came in time.
  static func wait(
    until expires: Timestamp, isQueued: Bool, turn: CommandSequence.Turn?,
    queued: (@Sendable (Timestamp?) async -> Void)?, for supervisor: isolated BoardSupervisor
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      supervisor.commands.wait(
        LinkWaiter(
          deadline: supervisor.uptime + (expires - supervisor.now), isQueued: isQueued, turn: turn,
          queued: queued, continuation: continuation))
      supervisor.dueWorkWaker.wake()
      if !isQueued { supervisor.connectionWaker.wake() }
    }
  }
}
