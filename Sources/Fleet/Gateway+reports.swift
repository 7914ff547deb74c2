import BoardKit
import Dialects
import FleetModel
import Logging
import Storage

/// What the gateway tells about itself.
extension Gateway {
  static let healthPeriod = Duration.seconds(30)

  /// Publishes the gateway's and the adapters' documents when they changed, at most once a second.
  func keepReporting() async {
    while !Task.isCancelled {
      await reportAlarm.sleep(atMost: nil, by: environment.timekeeper)
      await publishGatewayInfo()
      await publishAdapters()
      do { try await environment.timekeeper.sleep(for: .seconds(1)) } catch { return }
    }
  }

  /// Health every 30 s, and what is due now and then.
  func keepHousehold() async {
    var rounds = 0
    while !Task.isCancelled {
      await lookForRoom()
      await publishHealth()
      await publishAdapters()
      await reconcile()
      await adoptWhatIsConnected()
      await cleanStore()
      if rounds % Self.roundsPerArchiveCleaning == 0 { await cleanArchive() }
      if rounds % 10 == 9 { await widenScanIfNeeded() }
      rounds += 1
      await householdAlarm.sleep(atMost: Self.healthPeriod, by: environment.timekeeper)
    }
  }

  private func publishGatewayInfo() async {
    var info = GatewayInfo(
      site: configuration.gateway.site, version: environment.host.version, host: environment.host.name,
      operatingSystem: environment.host.operatingSystem, configurationHash: configuration.hash,
      started: started,
      adapters: adapters.keys.sorted(), boards: supervisors.keys.sorted(),
      admissionMode: door.mode.rawValue, verbs: VerbCatalogue.builtNames(for: .gateway),
      mqttProtocol: mqttProtocol, changed: gatewayInfo?.changed ?? now)
    guard info != gatewayInfo else { return }
    info.changed = now
    gatewayInfo = info
    await uplink.deliver([.gatewayInfo(info)])
  }

  private func publishAdapters() async {
    let loads = await airtime.adapters
    let statistics = await airtime.statistics
    let waiting = await airtime.waiting
    for (id, status) in adapters.sorted(by: { $0.key < $1.key }) {
      var report = AdapterReport(
        id: id, name: status.name, state: status.state.rawValue, slotsTotal: loads[id]?.places ?? 0)
      report.slotsUsed = loads[id]?.links.count ?? 0
      report.slotsLearned = loads[id]?.learned
      report.connecting = loads[id]?.connecting
      report.waiting = waiting
      report.connected = (loads[id]?.links ?? []).sorted()
      report.isScanning = status.isDiscovering
      report.lastAdvertisement = lastAdvertisement[id]
      report.connectsOK = statistics[id]?.connectsOK ?? 0
      report.connectsFailed = statistics[id]?.connectsFailed ?? 0
      report.resets = adapterResets[id] ?? 0
      report.lastError = statistics[id]?.lastError
      report.lastErrorTime = statistics[id]?.lastErrorTime
      guard report != adapterReports[id] else { continue }
      adapterReports[id] = report
      await uplink.deliver([.adapter(now, report)])
    }
  }

  private func publishHealth() async {
    let loads = await airtime.adapters.values
    // Health waits for no disk that refuses.
    if !storageSpell.isOn || lastOutbox == nil {
      lastOutbox = (try? await environment.store.outboxStatistics()) ?? lastOutbox
    }
    let outbox = lastOutbox
    var health = environment.host.measure()
    health[.uptime] = (uptime - startedUptime).inSeconds.rounded()
    health[.boardsAdmitted] = Double(supervisors.count)
    health[.boardsConnected] = Double(loads.reduce(0) { $0 + $1.links.count })
    health[.slotsUsed] = health[.boardsConnected]
    health[.slotsTotal] = Double(loads.reduce(0) { $0 + ($1.isUsable ? $1.places : 0) })
    health[.outboxMessages] = Double(outbox?.waiting.messages ?? 0)
    health[.outboxBytes] = Double(outbox?.waiting.bytes ?? 0)
    health[.outboxOldest] = outbox?.oldest.map { (max(0, (now - $0).inSeconds) * 10).rounded() / 10 } ?? 0
    health[.bluetoothOK] = lastTrouble == nil ? 1 : 0
    health[.storageOK] = storageSpell.isOn || outbox == nil ? 0 : 1
    for metric in Metric.allCases {
      if let name = metric.counter { health[metric] = Double(counters.value(of: name)) }
    }
    lastHealth = (now, health)
    await uplink.deliver([.health(now, health, storageSpell.condition)])
  }

  /// A page of a log that was refused says nothing of the disk once it takes what is written.
  private func lookForRoom() async {
    let boards = storageSpell.refusedLogs
    guard !boards.isEmpty else { return }
    do throws(StoreFailure) {
      guard try await !environment.store.room.isLow else { return }
      try await environment.store.probe()
    } catch { return }
    for board in boards { await stored(.log(of: board), nil as StoreFailure?) }
  }

  /// Deletes what need not be kept any more.
  func cleanStore() async {
    let limits = configuration.storage
    await environment.store.keepFree(Int(clamping: limits.minimumFree))
    // What was delivered is kept for replays; what is new comes first where there is no room for both.
    let size = await sizeOfDelivered
    await repeating { [store = environment.store, now] in
      try await store.purgeDelivered(before: now - limits.replay, maximumSize: size, batch: 200)
    }
    _ = try? await environment.store.purgeCommands(now: now)
    await uplink.enforceLimits()
    await uplink.retryRefused()
  }

  /// How many bytes of what was delivered may stay.
  private var sizeOfDelivered: Int {
    get async {
      let limit = Int(clamping: configuration.storage.outboxMaximumSize)
      if [.low, .full].contains(storageSpell.condition) { return 0 }
      guard let shortfall = try? await environment.store.room.shortfall, shortfall > 0,
        let size = try? await environment.store.outboxStatistics().delivered.bytes
      else { return limit }
      return min(limit, max(0, size - shortfall))
    }
  }

  /// Every ten minutes: it looks through all sessions, thousands a day of a large fleet.
  private static let roundsPerArchiveCleaning = 20

  private func cleanArchive() async {
    let limits = configuration.storage
    await repeating { [store = environment.store, now] in
      try await store.purgeLogs(before: now - limits.retain, maximumSize: Int(clamping: limits.maximumSize))
    }
  }

  /// Deletes a piece at a time, so that the store is not kept from others, until there is nothing left to delete.
  private func repeating(_ delete: () async throws -> Int) async {
    while !Task.isCancelled, let deleted = try? await delete(), deleted > 0 {}
  }

  func uplinkChanged(_ change: UplinkChange) async {
    switch change {
    case .connected(let version, let lostAt, let outage, let reason):
      mqttProtocol = version
      if let lostAt, let outage {
        var fields: JSONObject = ["outage_s": .number((outage.inSeconds * 10).rounded() / 10)]
        fields["reason"] = reason.map { .string($0) }
        await tell(.brokerLost, "lost", fields: fields, at: lostAt)
        await tell(.brokerRestored, "restored", fields: fields)
      }
      reportAlarm.ring()
    case .lost(let reason, let isTakenOver):
      if isTakenOver { await tell(.brokerLost, "taken-over", fields: ["reason": .string(reason)]) }
    case .refused(let topic, let kind, let code, let rows):
      await tell(
        .publishRefused, kind,
        fields: [
          "topic": .string(topic), "reason_code": .integer(Int64(code)), "rows": .integer(Int64(rows)),
        ])
    case .dropped(let board, let samples): await supervisors[board]?.dropped(samples)
    case .storage(let failure):
      await stored(.outbox, failure)
      // Room is made at once.
      if failure == .low || failure == .full || failure == nil { householdAlarm.ring() }
    case .slow(let isSlow): await stored(.pace, isSlow ? .slow : nil as StorageCondition?)
    }
  }

  /// The store refused something, or takes it again.
  func stored(_ part: StorageSpell.Part, _ failure: StoreFailure?) async {
    let old = storageSpell.condition
    if let new = storageSpell.note(part, failure) {
      await tell(new, after: old, failure.map { "\($0)" })
    }
  }

  private func stored(_ part: StorageSpell.Part, _ condition: StorageCondition?) async {
    let old = storageSpell.condition
    if let new = storageSpell.note(part, condition) { await tell(new, after: old, nil) }
  }

  /// One line in the log, the event under both its names, and health at once.
  private func tell(_ new: StorageCondition, after old: StorageCondition, _ reason: String?) async {
    environment.log.log(
      level: new == .fine ? .notice : .error, "storage: \(new.rawValue)",
      metadata: ["before": "\(old.rawValue)", "reason": "\(reason ?? new.advice)"])
    var fields = JSONObject()
    fields["free_bytes"] = environment.host.measure()[.storageFree].map { .integer(Int64($0)) }
    let message = new == .fine ? nil : reason ?? new.advice
    await tell(.storage, new.eventType, fields: fields, message: message)
    if let type = StorageSpell.olderType(of: new, after: old) {
      await tell(.storageFull, type, fields: fields, message: message)
    }
    await publishHealth()
    reportAlarm.ring()
  }

  /// What only shows when logs are decoded. Unknown loggers are told with the download.
  func noticed(_ notice: LogNotice) async {
    switch notice {
    case .unknownLoggers: break
    case .ambiguousClock(let board, _, let boot):
      await supervisors[board]?.tell(.clock, "ambiguous", fields: ["boot": .integer(Int64(boot))])
    case .impossibleValues(let board, let session, let stream, let field, let value, let count):
      await supervisors[board]?.tell(
        .dataQuality, "impossible-value",
        fields: [
          "stream": .string(stream), "session": .string(session.description), "field": .string(field),
          "value": ImpossibleValue(field: field, value: value).json, "count": .integer(Int64(count)),
        ])
    }
  }

  /// Every retained document as it is now.
  func retainedState() async -> (events: [FleetEvent], boards: Set<BoardID>) {
    var events = ownDocuments
    for board in supervisors.keys.sorted() { events += await supervisors[board]?.retainedDocuments ?? [] }
    return (events, Set(supervisors.keys))
  }

  /// What is told of the gateway itself.
  var ownDocuments: [FleetEvent] {
    var events: [FleetEvent] = []
    if let gatewayInfo { events.append(.gatewayInfo(gatewayInfo)) }
    if let lastHealth { events.append(.health(lastHealth.0, lastHealth.1, storageSpell.condition)) }
    for report in adapterReports.values.sorted(by: { $0.id < $1.id }) { events.append(.adapter(now, report)) }
    return events
  }

  /// Why data come from a board, or do not: from the documents as they are published, as anybody else would tell it.
  func explain(_ board: BoardID) async -> CommandOutcome {
    let dialect = PlainDialect(topics: topics)
    var view = FleetView(base: topics.base, scope: .everything)
    let events = ownDocuments + (await supervisors[board]?.retainedDocuments ?? [])
    let messages =
      [dialect.birth(0, at: started, reason: "started")] + events.flatMap { dialect.messages(for: $0) }
    for outgoing in messages { view.apply(topic: outgoing.message.topic, payload: outgoing.message.payload) }
    let explanation = ExplanationRule(board: board, fleet: view, now: now).explain()
    return .done(evidence: nil, data: explanation.json)
  }
}
