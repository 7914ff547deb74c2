import FleetModel
import Storage

/// What samples are missing for, before a run that follows another one. Pure.
struct LogInterruption: Hashable, Sendable {
  /// Since when.
  var from: Timestamp
  /// In the words of gaps.
  var reason: String

  /// If the board was reset since `earlier`, what it had not written to its flash is lost, and it logged nothing until
  /// now (fault F39); if its log was full, what came since `overflow` was lost. `lastRead`: when its log was last read.
  /// Nil where nothing is missing.
  init?(since earlier: LogSession?, before run: LogSession, lastRead: Timestamp?, overflow: Timestamp?) {
    if let earlier, earlier.boot != run.boot || earlier.resetID != run.resetID {
      (from, reason) = (max(lastRead ?? earlier.started, earlier.started), "board-reset")
    } else if let overflow {
      (from, reason) = (overflow, "overflow")
    } else {
      return nil
    }
  }
}
