import FleetModel
import Storage

/// What the dispatcher notes of a batch: its one entry in the ledger says at all times which of its commands are over,
/// and which is under way.
enum BatchRecord {
  /// Progress is told at most so often (MQTT contract 3.1).
  private static let pause = Duration.seconds(1)

  /// Writes down how far a batch has come. What sends its first command sends the whole. False: what is about to begin
  /// must not.
  static func note(
    _ progress: BatchProgress, of key: CommandEntry.Key, _ dispatcher: isolated CommandDispatcher
  ) async -> Bool {
    guard let command = dispatcher.live[key], !(progress.isRunning && command.isCancelled) else {
      return false
    }
    dispatcher.live[key]?.batch = progress
    guard command.isSent else { return progress.isRunning ? await dispatcher.sent(key) : true }
    return await write(.progress(percent: progress.percent(), eta: nil), of: key, dispatcher)
  }

  /// A stage on the way. What its commands have come to stays in the ledger.
  static func advance(
    _ key: CommandEntry.Key, _ stage: CommandReply.Stage, _ dispatcher: isolated CommandDispatcher
  ) async {
    _ = await write(stage, of: key, dispatcher)
  }

  /// What the board does now is left to end, and told as it ends; what is behind it does not begin. False where nothing
  /// is.
  static func cancel(_ key: CommandEntry.Key, _ dispatcher: isolated CommandDispatcher) -> Bool {
    guard let command = dispatcher.live[key], command.canStop else { return false }
    dispatcher.live[key]?.isCancelled = true
    return true
  }

  private static func write(
    _ stage: CommandReply.Stage, of key: CommandEntry.Key, _ dispatcher: isolated CommandDispatcher
  ) async -> Bool {
    guard let command = dispatcher.live[key] else { return false }
    let now = dispatcher.timekeeper.uptime
    let isDue = command.publishedAt.map { now >= $0 + pause } ?? true
    if isDue { dispatcher.live[key]?.publishedAt = now }
    let isStored = await dispatcher.records.advance(
      command.request, stage, data: command.results, silently: !isDue)
    if isDue { await dispatcher.routes.published() }
    return isStored
  }
}
