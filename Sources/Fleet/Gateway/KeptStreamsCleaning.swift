import FleetModel
import Logging
import Storage

/// Deletes streamed samples that need not, or cannot, be kept any more: they are the first to go where the disk becomes
/// full, before messages that were delivered, and long before anything has to wait (fault F235).
enum KeptStreamsCleaning {
  static func run(for gateway: isolated Gateway) async {
    let (limits, store) = (gateway.configuration.storage, gateway.environment.store)
    guard let before = try? await store.kept.statistics() else { return }
    let oldest = MaintenanceLoop.retentionTime(gateway) - (limits.streams.keep ?? limits.retain)
    var round = KeptStreamsStatus.Round()
    round.maximumSize = Int(clamping: limits.streams.maximumSize)
    if let size = await sizeForRoom(before.amount.bytes, gateway) {
      let dropped = await purge(before: oldest, downTo: min(size, round.maximumSize), gateway)
      gateway.counters.add(dropped, to: .keptDropped)
    } else {
      round.cut = await purge(before: oldest, downTo: round.maximumSize, gateway)
    }
    let dropped = gateway.counters.value(of: .keptDropped)
    round.dropped = dropped - gateway.storage.kept.judged
    gateway.counters.add(round.cut, to: .keptDropped)
    gateway.storage.kept.judged = dropped + round.cut
    gateway.storage.kept.statistics = try? await store.kept.statistics()
    round.bytes = gateway.storage.kept.statistics?.amount.bytes ?? 0
    if let type = gateway.storage.kept.note(round) { await publish(type, round, gateway) }
  }

  /// How many bytes may stay where the disk has too little room; nil where it has enough.
  private static func sizeForRoom(_ bytes: Int, _ gateway: isolated Gateway) async -> Int? {
    if gateway.storage.condition == .full { return 0 }
    guard bytes > 0, let shortfall = try? await gateway.environment.store.room.shortfall, shortfall > 0 else {
      return nil
    }
    return max(0, bytes - shortfall)
  }

  /// A piece at a time, so that the store is not kept from others. Returns the samples that were young enough to stay.
  private static func purge(
    before oldest: Timestamp, downTo size: Int, _ gateway: isolated Gateway
  ) async -> Int {
    let store = gateway.environment.store
    var samples = 0
    while !Task.isCancelled, let purge = try? await store.kept.purge(before: oldest, maximumSize: size),
      purge.rows > 0
    {
      samples += purge.samplesTooYoung
    }
    return samples
  }

  private static func publish(
    _ type: String, _ round: KeptStreamsStatus.Round, _ gateway: isolated Gateway
  ) async {
    let status = gateway.storage.kept
    var fields: JSONObject = ["samples": .integer(Int64(round.dropped + round.cut))]
    fields["oldest_ms"] = (status.statistics?.oldest).map { .integer($0.milliseconds) }
    let message = KeptStreamsStatus.advice(status.trouble)
    gateway.environment.log.log(
      level: status.trouble == nil ? .notice : .warning, "kept streams \(type)",
      metadata: message.map { ["reason": "\($0)"] as Logger.Metadata } ?? [:])
    await gateway.publish(.keptStreams, type, fields: fields, message: message)
  }
}
