import BoardKit
import FleetModel
import Storage

/// What a session is to know of its board's log from the start.
struct LogOrders: Hashable, Sendable {
  /// What the board shall log.
  var wanted: [String: StreamRequest] = [:]
  /// Whether the oldest entries shall give way.
  var isCircular = false
  /// What its loggers were last made for.
  var made: [String: StreamRequest] = [:]
  /// When what came in whole is erased.
  var clear = VisitPolicy.Clear.complete
  /// When the log was last seen to be empty after it was cleared.
  var cleared: Timestamp?
  /// How the log was when we looked last.
  var estimate: LogEstimate?
  /// Whether the log is looked at although nothing is wanted of it.
  var isWatched = false
  /// Slots of loggers that nobody of us made, as far as they were reported; nil where they were not read.
  var foreign: Set<Int>?
  /// Whether the last download ended because the broker acknowledged nothing.
  var stoppedForBroker = false
  /// Whether visits download what only foreign loggers wrote.
  var takesForeign = false
  /// Whether a download that was cut off, or that a reset asks for, may be taken up at once.
  var mayResume = true
}

/// How a log stands, for the supervisor.
struct LogSnapshot: Hashable, Sendable {
  /// The board's clock then.
  var clock: BoardTick
  var entries: Int
  var capacity: Int
  var isLogging: Bool
  /// Whether it was erased just now.
  var isCleared = false
}
