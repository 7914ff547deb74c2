/// Why samples are missing: every reason that an event `data-gap` may give (MQTT contract 5).
public enum GapReason: String, Sendable, CaseIterable {
  /// The board sent them, or could have, and they did not come.
  case radio
  /// They came faster than they were taken: our own socket ran over, or the board's log was full.
  case overflow
  case boardReset = "board-reset"
  /// The oldest entries of the board's log gave way to newer ones.
  case logWrapped = "log-wrapped"
  /// The gateway's disk was full, nearly full or read-only, or the outbox was longer or older than it may be.
  case storageFull = "storage-full"
  /// Another program held the gateway's database locked, or its disk was too slow.
  case storageLocked = "storage-locked"
  /// Part of a log was not downloaded.
  case download
  /// The gateway was stopped or killed: what was in memory at a kill, and all until the stream went on.
  case gatewayRestart = "gateway-restart"
  /// Somebody gave them up by a command.
  case discarded
  /// No sensor can measure what came in their place.
  case impossibleValue = "impossible-value"
}
