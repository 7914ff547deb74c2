import Dialects
import FleetModel
import Storage

/// What takes the command dispatcher its time, and must not hold up the next message.
enum PendingWork: Sendable {
  case command(CommandEntry.Key)
  case job(CommandEntry.Key)
  /// A command for a board, or a group, that is not ours, and may be another gateway's.
  case unknownTarget(CommandTarget, verb: String, IncomingCommand)
}
