import BoardKit
import FleetModel
import Storage

/// The loop that does what is due now and then: health, room on the disk, boards that were missed or never came.
enum MaintenanceLoop {
  private static let period = Duration.seconds(30)
  /// Every ten minutes: it looks through all sessions, thousands a day of a large fleet.
  private static let roundsPerArchiveCleaning = 20

  static func run(for gateway: isolated Gateway) async {
    var rounds = 0
    await beginRetention(gateway)
    while !Task.isCancelled {
      await StartNotice.publishClock(of: gateway)
      await checkDiskSpace(gateway)
      await checkReaders(gateway)
      await GatewayReports.publishHealth(gateway)
      gateway.services.reportWaker.wake()
      await gateway.reconcile()
      await RadioMonitor.adoptConnectedBoards(gateway)
      await BoardRemoval.removeExpired(from: gateway)
      await MemoryKeeping.forgetExpired(for: gateway)
      await AdapterRemoval.removeExpired(from: gateway)
      await cleanStore(gateway)
      if rounds % roundsPerArchiveCleaning == 0 { await cleanArchive(gateway) }
      rounds += 1
      await gateway.services.maintenanceWaker.sleep(atMost: period, by: gateway.environment.timekeeper)
    }
  }

  /// A log that was folded stays as long as it was until the next write; it is written to all the time.
  private static func checkReaders(_ gateway: isolated Gateway) async {
    let isLong = await gateway.environment.store.logSize > DiskRoom.longLog
    await gateway.stored(.reader, as: isLong ? .beingRead : nil)
  }

  /// A page of a log that was refused says nothing of the disk once it takes what is written.
  private static func checkDiskSpace(_ gateway: isolated Gateway) async {
    let (boards, store) = (gateway.storage.refusedLogs, gateway.environment.store)
    guard !boards.isEmpty else { return }
    do throws(StoreFailure) {
      guard try await !store.room.isLow else { return }
      try await store.probe()
    } catch { return }
    for board in boards { await gateway.stored(.log(of: board), nil) }
  }

  /// A clock that is wrong from the start is noticed by what earlier runs believed, or by what older versions recorded.
  private static func beginRetention(_ gateway: isolated Gateway) async {
    let (started, store) = (gateway.started, gateway.environment.store)
    var latest = try? await store.retentionMark.time()
    if latest == nil {
      let entries = (try? await store.history.latest(limit: 50))?.entries ?? []
      latest = entries.map(\.time).filter { $0 < started.time }.max()
    }
    var retention = RetentionClock()
    retention.begin(after: latest, uptime: started.uptime)
    gateway.storage.retention = retention
  }

  /// Before anything is deleted by that time.
  private static func keepMark(_ gateway: isolated Gateway) async {
    _ = retentionTime(gateway)
    guard let time = gateway.storage.retention?.due else { return }
    do throws(StoreFailure) {
      try await gateway.environment.store.retentionMark.keep(time)
      gateway.storage.retention?.kept(time)
    } catch { return }
  }

  /// The time by which what is kept is judged to be old (fault F262): before all times, so that nothing is, as long as
  /// what was taken without a clock is not dated anew, or nobody knows what the last run believed (fault F265): the
  /// connection to the broker may be there first.
  static func retentionTime(_ gateway: isolated Gateway) -> Timestamp {
    let never = Timestamp(nanoseconds: .min)
    let isSynced = gateway.environment.host.measure()[.clockSynced] != 0
    // Also asked while it does not count yet: a clock that is set once more soon is held against what it showed.
    let time = gateway.storage.retention?.time(gateway.now, uptime: gateway.uptime, isSynced: isSynced)
    return gateway.documents.clock.isUndated(at: gateway.now) ? never : time ?? never
  }

  /// Deletes what need not be kept any more.
  static func cleanStore(_ gateway: isolated Gateway) async {
    await keepMark(gateway)
    let (limits, store) = (gateway.configuration.storage, gateway.environment.store)
    let now = retentionTime(gateway)
    await store.keepFree(Int(clamping: limits.minimumFree))
    await KeptStreamsCleaning.run(for: gateway)
    // What was delivered is kept for replays; what is new comes first where there is no room for both.
    let size = await sizeOfDelivered(gateway)
    await repeating {
      try await store.outbox.purgeDelivered(before: now - limits.replay, maximumSize: size, batch: 200)
    }
    _ = try? await store.commands.purge(now: now)
    await cleanHistory(gateway)
    await gateway.uplink.enforceLimits(at: now)
    await gateway.uplink.retryRefused()
  }

  /// A disk that is nearly full has room for the latest events alone.
  private static func cleanHistory(_ gateway: isolated Gateway) async {
    let (limits, store) = (gateway.configuration.storage, gateway.environment.store)
    let now = retentionTime(gateway)
    let isLow = [.low, .full].contains(gateway.storage.condition)
    await store.keepHistory(of: isLow ? min(1_000, limits.historyMaximumEvents) : limits.historyMaximumEvents)
    await repeating {
      try await store.history.purge(before: now - limits.historyMaximumAge, now: now, batch: 200)
    }
  }

  /// How many bytes of what was delivered may stay.
  private static func sizeOfDelivered(_ gateway: isolated Gateway) async -> Int {
    let (limits, store) = (gateway.configuration.storage, gateway.environment.store)
    let limit = Int(clamping: limits.outboxMaximumSize)
    if [.low, .full].contains(gateway.storage.condition) { return 0 }
    guard let shortfall = try? await store.room.shortfall, shortfall > 0,
      let size = try? await store.outbox.statistics().delivered.bytes
    else { return limit }
    return min(limit, max(0, size - shortfall))
  }

  /// Deletes logs that were kept long enough, and what is left of those that somebody deleted.
  static func cleanArchive(_ gateway: isolated Gateway) async {
    let (limits, store) = (gateway.configuration.storage, gateway.environment.store)
    let now = retentionTime(gateway)
    await repeating {
      try await store.logs.purge(before: now - limits.retain, maximumSize: Int(clamping: limits.maximumSize))
    }
  }

  /// Deletes a piece at a time, so that the store is not kept from others, until there is nothing left to delete.
  private static func repeating(_ delete: () async throws -> Int) async {
    while !Task.isCancelled, let deleted = try? await delete(), deleted > 0 {}
  }
}
