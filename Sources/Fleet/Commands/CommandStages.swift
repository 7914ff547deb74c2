import FleetModel

/// What the sender of a command hears before its end.
struct CommandStages: Sendable {
  /// The board is about to hear of it.
  var sent: @Sendable () async -> Void
  /// Long work has come so far, in percent, and may be over then.
  var progress: @Sendable (Double, Timestamp?) async -> Void = { _, _ in }

  /// Nobody listens.
  static let silent = CommandStages(sent: {})
}
