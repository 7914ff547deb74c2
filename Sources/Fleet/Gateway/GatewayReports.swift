import BoardKit
import FleetModel
import Storage

/// The loop that tells how the gateway and its adapters are.
enum GatewayReports {
  /// Publishes the gateway's and the adapters' documents when they changed, at most once a second.
  static func run(for gateway: isolated Gateway) async {
    let timekeeper = gateway.environment.timekeeper
    while !Task.isCancelled {
      await gateway.services.reportWaker.sleep(atMost: nil, by: timekeeper)
      await publishInfo(gateway)
      await publishAdapters(gateway)
      do { try await timekeeper.sleep(for: .seconds(1)) } catch { return }
    }
  }

  private static func publishInfo(_ gateway: isolated Gateway) async {
    let (host, configuration, now) = (gateway.environment.host, gateway.configuration, gateway.now)
    var info = GatewayInfo(
      site: configuration.gateway.site, version: host.version, host: host.name,
      operatingSystem: host.operatingSystem, configurationHash: configuration.hash,
      started: gateway.started.time, adapters: gateway.radio.adapters.keys.sorted(),
      boards: gateway.supervisors.keys.sorted(), admissionMode: gateway.joining.permission.mode.rawValue,
      verbs: VerbCatalogue.builtNames(for: .gateway), mqttProtocol: gateway.documents.mqttProtocol,
      changed: now)
    info.configurationError = gateway.documents.configurationError
    guard let changed = gateway.documents.update(info, at: now) else { return }
    await gateway.uplink.deliver([.gatewayInfo(changed)])
  }

  static func publishAdapters(_ gateway: isolated Gateway) async {
    let loads = await gateway.scheduler.adapters
    let statistics = await gateway.scheduler.statistics
    for (id, status) in gateway.radio.adapters.sorted(by: { $0.key < $1.key }) {
      let queue = await gateway.scheduler.queue(for: id)
      let load = await linkLoad(of: loads[id]?.links ?? [], gateway)
      let report = AdapterReport(
        status, in: gateway.radio, loads[id], statistics[id], queue: queue, load: load)
      guard let changed = gateway.documents.update(report) else { continue }
      await gateway.uplink.deliver([.adapter(gateway.now, changed)])
    }
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

  static func publishHealth(_ gateway: isolated Gateway) async {
    let (health, now) = (await measure(gateway), gateway.now)
    gateway.documents.update(health, at: now)
    await gateway.uplink.deliver([.health(now, health, gateway.storage.condition)])
  }

  /// The numbers of health as they are now.
  static func measure(_ gateway: isolated Gateway) async -> [Metric: Double] {
    let loads = await gateway.scheduler.adapters.values
    // Health waits for no disk that refuses.
    if !gateway.storage.isOn || gateway.storage.outbox == nil,
      let outbox = try? await gateway.environment.store.outbox.statistics()
    {
      gateway.storage.outbox = outbox
    }
    let (outbox, now) = (gateway.storage.outbox, gateway.now)
    var health = gateway.environment.host.measure()
    health[.uptime] = (gateway.uptime - gateway.started.uptime).inSeconds.rounded()
    health[.boardsAdmitted] = Double(gateway.supervisors.count)
    health[.boardsConnected] = Double(loads.reduce(0) { $0 + $1.links.count })
    health[.slotsUsed] = health[.boardsConnected]
    health[.slotsTotal] = Double(loads.reduce(0) { $0 + ($1.isUsable ? $1.places : 0) })
    health[.outboxMessages] = Double(outbox?.waiting.messages ?? 0)
    health[.outboxBytes] = Double(outbox?.waiting.bytes ?? 0)
    health[.outboxOldest] = outbox?.oldest.map { (max(0, (now - $0).inSeconds) * 10).rounded() / 10 } ?? 0
    health[.bluetoothOK] = gateway.radio.trouble == nil ? 1 : 0
    health[.storageOK] = gateway.storage.isOn || outbox == nil ? 0 : 1
    for metric in Metric.allCases {
      if let name = metric.counter { health[metric] = Double(gateway.counters.value(of: name)) }
    }
    return health
  }
}
