import FleetModel

/// A board as the command dispatcher sees it.
protocol CommandedBoard: Sendable {
  /// How it stands, for the judgement of a command.
  func commandTargetStatus() async -> TargetStatus
  /// Gives the next command its turn: commands are carried out in the order of these, one at a time. Each turn must be
  /// used for one `perform`.
  func takeTurn() async -> CommandSequence.Turn
  /// Carries out one command in its turn, at once or, in mode `queue`, with the next contact.
  func perform(
    _ intent: BoardIntent, turn: CommandSequence.Turn, expires: Timestamp, mode: CommandRequest.Mode,
    _ stages: CommandProgress
  ) async -> CommandOutcome
  /// Lets a command that still waits for its turn end at once.
  func withdraw(_ turn: CommandSequence.Turn) async
}
