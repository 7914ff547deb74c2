/// Letting go of a board whose gateway lets go of all.
enum BoardDrain {
  /// How long a session may take to come to a safe point.
  private static let timeout = Duration.seconds(60)

  /// No link from now on. Returns when the one there is has ended, at a safe point; whether there was one.
  static func begin(_ supervisor: isolated BoardSupervisor) async -> Bool {
    supervisor.link.isDrained = true
    supervisor.link.abort.wake()
    supervisor.wake()
    await supervisor.environment.scheduler.withdraw(supervisor.board)
    guard let session = supervisor.link.session else { return false }
    await session.closeGracefully(within: timeout)
    if supervisor.link.session === session {
      await withCheckedContinuation { supervisor.link.endWaiters.append($0) }
    }
    return true
  }

  /// Links again.
  static func end(_ supervisor: isolated BoardSupervisor) {
    supervisor.link.isDrained = false
    supervisor.wake()
  }
}
