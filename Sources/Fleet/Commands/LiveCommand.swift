import FleetModel
import Storage

/// A command that was accepted and is not over.
struct LiveCommand: Sendable {
  var request: CommandRequest
  var admitted: CommandAdmission.Admitted
  /// Its board, where it is for one.
  var board: (any CommandedBoard)?
  /// The job it is a member's part of.
  var job: CommandEntry.Key?
  /// Its turn at its board.
  var turn: CommandSequence.Turn?
  var isSent = false
  var isCancelled = false
  /// How far it has come, where it is a batch that was begun.
  var batch: BatchProgress?
  /// When that was published last.
  var publishedAt: Duration?

  /// Whether something of it can be kept from beginning.
  var canStop: Bool { !isSent || batch?.next != nil }
  /// What its answers hold of a batch's commands.
  var results: JSONObject { batch?.data ?? JSONObject() }
}

extension CommandFailure {
  /// Taken back before it was begun (MQTT contract 4.1).
  static let cancelled = CommandFailure(.expired, "cancelled")
}
