import FleetModel

/// What the sender of a command hears before its end.
struct CommandProgress: Sendable {
  /// What the sender said of itself: claimed, and not proved.
  var sender: [UserProperty] = []
  /// The board is about to hear of it. False: it must not, because the command was cancelled or cannot be written down.
  var sent: @Sendable () async -> Bool
  /// It waits for the board's next contact, planned for then.
  var queued: @Sendable (Timestamp?) async -> Void = { _ in }
  /// Long work has come so far, in percent, and may be over then.
  var progress: @Sendable (Double, Timestamp?) async -> Void = { _, _ in }

  /// How far a batch has come, before each of its commands begins and after it ended. False: what is about to begin
  /// must not.
  var note: @Sendable (BatchProgress) async -> Bool = { _ in true }

  /// Nobody listens.
  static let silent = CommandProgress(sent: { true })
}
