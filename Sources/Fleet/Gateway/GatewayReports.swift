import BoardKit
import FleetModel
import Logging
import Storage

/// The loop that tells how the gateway and its adapters are.
enum GatewayReports {
  /// Publishes the gateway's and the adapters' documents, and health, when they changed, at most once a second.
  static func run(for gateway: isolated Gateway) async {
    let timekeeper = gateway.environment.timekeeper
    var connections = ConnectionSummary()
    await AlarmReports.restore(gateway)
    while !Task.isCancelled {
      let pause = min(connections.wait ?? AlarmWatch.longestPause, AlarmWatch.longestPause)
      await gateway.services.reportWaker.sleep(atMost: pause, by: timekeeper)
      await summarise(&connections, gateway)
      await publishInfo(gateway)
      // One look at the links for both, so that they tell the same.
      let loads = await gateway.scheduler.adapters
      await publishAdapters(loads, gateway)
      await AlarmReports.publish(gateway)
      await publishHealthIfChanged(loads, gateway)
      do { try await timekeeper.sleep(for: .seconds(1)) } catch { return }
    }
  }

  private static func summarise(_ connections: inout ConnectionSummary, _ gateway: isolated Gateway) async {
    let connected = await gateway.scheduler.adapters.values.reduce(0) { $0 + $1.links.count }
    let line = connections.line(connected: connected, of: gateway.supervisors.count, at: gateway.uptime)
    if let line { gateway.environment.log.info("\(line)") }
  }

  private static func publishInfo(_ gateway: isolated Gateway) async {
    let (host, configuration, now) = (gateway.environment.host, gateway.configuration, gateway.now)
    var info = GatewayInfo(
      site: configuration.gateway.site, version: host.version, host: host.name,
      operatingSystem: host.operatingSystem, configurationHash: configuration.hash,
      started: gateway.started.time, adapters: gateway.radio.adapters.keys.sorted(),
      boards: gateway.supervisors.keys.sorted(), admissionMode: gateway.joining.permission.mode.rawValue,
      verbs: VerbCatalogue.names(for: .gateway), mqttProtocol: gateway.documents.mqttProtocol,
      changed: now)
    info.troubles = gateway.documents.troubles
    info.troubles.withheld = gateway.roster.unconfirmed.sorted()
    info.lastCrash = host.lastCrash
    info.drained = gateway.drained
    guard let changed = gateway.documents.update(info, at: now) else { return }
    await gateway.uplink.deliver([.gatewayInfo(changed)])
  }

  private static func publishAdapters(
    _ loads: [AdapterID: ConnectionSlotPlan.Adapter], _ gateway: isolated Gateway
  ) async {
    let statistics = await gateway.scheduler.statistics
    for (id, status) in gateway.radio.adapters.sorted(by: { $0.key < $1.key }) {
      let queue = await gateway.scheduler.queue(for: id)
      let load = await linkLoad(of: loads[id]?.links ?? [], gateway)
      let report = AdapterReport(
        status, in: gateway.radio, loads[id], statistics[id], queue: queue, load: load)
      guard let changed = gateway.documents.update(report, at: gateway.now) else { continue }
      await gateway.uplink.deliver([.adapter(gateway.now, changed)])
    }
  }

  /// How many boards somebody should look after, and how many somebody does.
  private static func troubles(_ gateway: isolated Gateway) async -> (Double, Double) {
    var (troubled, maintained) = (0.0, 0.0)
    for supervisor in gateway.supervisorsInOrder {
      let state = await supervisor.state
      if state.isInTrouble { troubled += 1 }
      if state.orders.maintenance != nil { maintained += 1 }
    }
    return (troubled, maintained)
  }

  /// Packets a second that the desired state of boards asks of their links, all together.
  private static func linkLoad(of boards: Set<BoardID>, _ gateway: isolated Gateway) async -> Double {
    var load = 0.0
    for board in boards.sorted() {
      guard let streams = await gateway.supervisors[board]?.desiredSetup.streams.values else { continue }
      load += LinkLoad(of: streams).total
    }
    return (load * 10).rounded() / 10
  }

  /// What is said of a gateway that stops, when it has let go of its boards: nothing is connected to it any more.
  static func publishLast(_ gateway: isolated Gateway) async {
    gateway.radio.stopped()
    await publishAdapters(await gateway.scheduler.adapters, gateway)
    await publishHealth(gateway)
  }

  /// How checks for newer firmware go, how many boards they found some for, and how many get some.
  private static func firmwareNumbers(of gateway: isolated Gateway) async -> [Metric: Double] {
    let checks = gateway.services.firmware
    var (outdated, updating, inBootloader) = (0, 0, 0)
    for board in gateway.supervisorsInOrder {
      let status = await board.status
      if checks.isPossible, status.firmware.isOutdated { outdated += 1 }
      if status.facts.isUpdating { updating += 1 } else if status.facts.isBootloader { inBootloader += 1 }
    }
    return await checks.knowledge.numbers(outdated: outdated, at: gateway.now).merging([
      .boardsUpdating: Double(updating), .boardsInBootloader: Double(inBootloader),
    ]) { $1 }
  }

  /// Publishes health anew where boards, adapters or the disk are not as it says (fault F210).
  private static func publishHealthIfChanged(
    _ loads: [AdapterID: ConnectionSlotPlan.Adapter], _ gateway: isolated Gateway
  ) async {
    let totals = await totals(of: gateway, loads)
    if gateway.documents.healthDiffers(from: totals) { await publishHealth(gateway, totals) }
  }

  /// What health sums up of boards, adapters and the disk; the other documents tell the same one by one.
  private static func totals(
    of gateway: isolated Gateway, _ adapters: [AdapterID: ConnectionSlotPlan.Adapter]
  ) async -> [Metric: Double] {
    let loads = adapters.values
    let connected = Double(loads.reduce(0) { $0 + $1.links.count })
    let (troubled, inMaintenance) = await troubles(gateway)
    return [
      .boardsTroubled: troubled, .boardsInMaintenance: inMaintenance,
      .boardsAdmitted: Double(gateway.supervisors.count), .boardsConnected: connected, .slotsUsed: connected,
      .slotsTotal: Double(loads.reduce(0) { $0 + ($1.isUsable ? $1.places : 0) }),
      .bluetoothOK: gateway.radio.trouble == nil ? 1 : 0,
      .storageOK: gateway.storage.isOn || gateway.storage.outbox == nil ? 0 : 1,
    ].merging(gateway.documents.alarms.report?.numbers ?? [:]) { $1 }
  }

  /// Publishes health as it is now. Whoever calls it beside `run` wakes `run` as well, which looks again: two at a time
  /// may come in the wrong order.
  /// `totals` are what was just found out for the other documents.
  static func publishHealth(_ gateway: isolated Gateway, _ totals: [Metric: Double] = [:]) async {
    let (health, now) = (await measure(gateway).merging(totals) { $1 }, gateway.now)
    gateway.documents.update(health, at: now)
    await gateway.uplink.deliver([.health(now, health, gateway.storage.condition)])
  }

  /// The numbers of health as they are now.
  static func measure(_ gateway: isolated Gateway) async -> [Metric: Double] {
    // Health waits for no disk that refuses.
    if !gateway.storage.isOn || gateway.storage.outbox == nil,
      let outbox = try? await gateway.environment.store.outbox.statistics()
    {
      gateway.storage.outbox = outbox
      gateway.storage.kept.statistics = try? await gateway.environment.store.kept.statistics()
    }
    let outbox = gateway.storage.outbox
    var health = gateway.environment.host.measure()
    health[.uptime] = (gateway.uptime - gateway.started.uptime).inSeconds.rounded()
    health.merge(outbox?.numbers(at: gateway.now) ?? [:]) { $1 }
    health.merge(await firmwareNumbers(of: gateway)) { $1 }
    health.merge(gateway.storage.kept.numbers(at: gateway.now)) { $1 }
    health.merge(RolloutReports.numbers(gateway.documents.rollouts)) { $1 }
    for metric in Metric.allCases {
      if let name = metric.counter { health[metric] = Double(gateway.counters.value(of: name)) }
    }
    // Last, for all that was waited for until here is older.
    health.merge(await totals(of: gateway, await gateway.scheduler.adapters)) { $1 }
    return health
  }
}

extension Gateway {
  func countedAnew() { services.reportWaker.wake() }
}
