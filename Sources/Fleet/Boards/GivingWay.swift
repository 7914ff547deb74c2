/// A board gives its connection to one that has waited for too long.
enum GivingWay {
  /// How long a download may take to come to a safe point.
  private static let safePointTimeout = Duration.seconds(60)

  /// Ends the link at a safe point; it is made anew in its turn. Returns false where it cannot end now: a command is
  /// carried out, or the board is being set up.
  static func run(_ supervisor: isolated BoardSupervisor) async -> Bool {
    guard let session = supervisor.link.session else { return true }
    guard supervisor.link.isReady, supervisor.isIdle else { return false }
    await session.closeGracefully(within: safePointTimeout)
    return true
  }
}
