import BoardKit
import FleetModel
import Logging

/// The loop that takes what the radio receives and tells the boards.
enum RadioMonitor {
  static func run(for gateway: isolated Gateway) async {
    for await event in gateway.environment.radio.events {
      switch event {
      case .service(let isAvailable, let message): await serviceChanged(isAvailable, message, gateway)
      case .adapter(let status): await adapterChanged(status, gateway)
      case .adapterGone(let adapter): await adapterGone(adapter, gateway)
      case .scanRestarted(let adapter): await scanRestarted(adapter, gateway)
      case .advertisement(let report): await advertised(report, gateway)
      case .connection(let board, let adapter, let isConnected):
        gateway.radio.connection(of: board, on: adapter, isConnected: isConnected)
        if isConnected {
          await gateway.scheduler.connected(board, on: adapter)
          await adopt(board, on: adapter, gateway)
        }
      }
    }
  }

  /// A link left over by an earlier run: a connected board does not advertise, so the system's word stands for it.
  private static func adopt(_ board: BoardID, on adapter: AdapterID, _ gateway: isolated Gateway) async {
    guard let supervisor = gateway.supervisors[board], await !supervisor.isLinked else { return }
    await gateway.scheduler.advertised(board, by: adapter, rssi: nil)
    await supervisor.isConnectedOutside()
  }

  /// Looks again, in case the moment was missed: nothing may depend on one event.
  static func adoptConnectedBoards(_ gateway: isolated Gateway) async {
    for (board, adapter) in gateway.radio.connected.sorted(by: { $0.key < $1.key }) {
      await adopt(board, on: adapter, gateway)
    }
  }

  private static func serviceChanged(
    _ isAvailable: Bool, _ message: String, _ gateway: isolated Gateway
  ) async {
    guard gateway.radio.service(isAvailable, message, at: gateway.uptime, time: gateway.now) else { return }
    gateway.environment.log.notice(
      isAvailable ? "Bluetooth is available" : "Bluetooth is not available",
      metadata: ["reason": "\(message)"])
    await gateway.publish(.bluetooth, isAvailable ? "restored" : "lost", fields: ["reason": .string(message)])
    if !isAvailable {
      for adapter in gateway.radio.adapters.keys.sorted() {
        await gateway.scheduler.update(adapter, isUsable: false)
      }
    }
    await judge(gateway)
  }

  private static func adapterChanged(_ status: AdapterStatus, _ gateway: isolated Gateway) async {
    guard gateway.uses(status.id) || status.unusable != nil else { return }
    if let change = gateway.radio.adapter(status, at: gateway.uptime) {
      await gateway.scheduler.update(status.id, isUsable: change.isUsable)
      if let reason = status.unusable {
        gateway.environment.log.warning(
          "a Bluetooth adapter is not used", metadata: ["reason": "\(reason.sentence)"])
        await gateway.scheduler.cannotUse(status.id, reason)
      } else {
        noteUse(of: status, isUsable: change.isUsable, gateway)
      }
      if let type = change.type { await publish(type, of: status, gateway) }
      await judge(gateway)
    }
    gateway.services.reportWaker.wake()
  }

  private static func noteUse(of status: AdapterStatus, isUsable: Bool, _ gateway: isolated Gateway) {
    gateway.environment.log.log(
      level: isUsable ? .info : .warning,
      isUsable ? "a Bluetooth adapter is used" : "a Bluetooth adapter cannot be used now",
      metadata: [
        "adapter": "\(status.id)", "name": "\(status.name)", "state": "\(status.state.rawValue)",
      ])
  }

  private static func adapterGone(_ adapter: AdapterID, _ gateway: isolated Gateway) async {
    guard let status = gateway.radio.adapterGone(adapter, time: gateway.now) else { return }
    await gateway.scheduler.update(adapter, isUsable: false)
    if status.unusable == nil { noteUse(of: status, isUsable: false, gateway) }
    // What was never used is not lost.
    if status.unusable == nil { await publish("lost", of: status, gateway) }
    await judge(gateway)
    gateway.services.reportWaker.wake()
  }

  private static func scanRestarted(_ adapter: AdapterID, _ gateway: isolated Gateway) async {
    guard gateway.uses(adapter) else { return }
    gateway.radio.scanRestarted(adapter, at: gateway.uptime)
    gateway.environment.log.notice(
      "restarting the scan: no advertisements received although boards are missing",
      metadata: ["adapter": "\(adapter)"])
    await gateway.publish(
      .adapterReset, "scan", fields: ["adapter": .string(adapter.description), "reason": "silent"])
    gateway.services.reportWaker.wake()
  }

  private static func publish(_ type: String, of status: AdapterStatus, _ gateway: isolated Gateway) async {
    var fields: JSONObject = [
      "adapter": .string(status.id.description), "name": .string(status.name),
    ]
    if let reason = status.unusable {
      fields["reason"] = .string(reason.sentence)
      fields["reason_code"] = .string(reason.code.rawValue)
    }
    await gateway.publish(.adapter, type, fields: fields)
  }

  /// Tells every supervisor when the radio as a whole comes or goes.
  private static func judge(_ gateway: isolated Gateway) async {
    guard gateway.radio.judge() else { return }
    let (trouble, message) = (gateway.radio.trouble, gateway.radio.troubleMessage)
    for supervisor in gateway.supervisorsInOrder { await supervisor.radioChanged(trouble, message) }
    if trouble == nil { await adoptConnectedBoards(gateway) }
    // Health says so at once, not with its next turn.
    await GatewayReports.publishHealth(gateway)
    gateway.services.reportWaker.wake()
  }

  private static func advertised(_ report: AdvertisementReport, _ gateway: isolated Gateway) async {
    if gateway.radio.advertised(report) { gateway.services.reportWaker.wake() }
    guard gateway.uses(report.adapter) else { return }
    let family = gateway.environment.family
    let isBootloader = family.isBootloader(report)
    let isLookedFor = isBootloader ? await offer(report, gateway) : false
    if let supervisor = gateway.supervisors[report.board] {
      await gateway.scheduler.advertised(report.board, by: report.adapter, rssi: report.rssi)
      return await supervisor.advertised(report, isBootloader: isBootloader)
    }
    guard !isLookedFor, family.recognises(report) || isBootloader else { return }
    await discover(report, isBootloader: isBootloader, gateway)
  }

  /// A bootloader advertises: it may be that of a board which has another address there. Whether one looks for it.
  private static func offer(_ report: AdvertisementReport, _ gateway: isolated Gateway) async -> Bool {
    var isLookedFor = false
    for board in gateway.environment.family.bootloader?.owners(report.board) ?? [] where board != report.board
    {
      guard let supervisor = gateway.supervisors[board],
        await UpdateEffects.heard(at: report.board, by: supervisor)
      else { continue }
      await gateway.scheduler.advertised(board, by: report.adapter, rssi: report.rssi)
      isLookedFor = true
    }
    return isLookedFor
  }

  /// A board that is not admitted: it joins where it may, else it is reported once a day.
  private static func discover(
    _ report: AdvertisementReport, isBootloader: Bool, _ gateway: isolated Gateway
  ) async {
    let refusal = gateway.joining.refusal(
      of: report, isBootloader: isBootloader, joined: gateway.roster.joined, at: gateway.uptime)
    if refusal == nil {
      let permission = gateway.joining.permission
      let admission = Admission(board: report.board, profile: permission.profile)
      if case .done = await gateway.admit(admission, origin: permission.origin) {
        // It is there now; its next advertisement may be ten seconds away.
        if gateway.supervisors[report.board] != nil { await advertised(report, gateway) }
        return
      }
    }
    switch gateway.joining.notice(report.board, at: gateway.uptime) {
    case .known: return
    case .leaveOut: return gateway.counters.add(to: .discoveriesSuppressed)
    case .report: break
    }
    var fields: JSONObject = [
      "board": .string(report.board.description),
      "name": .string(report.visibleName ?? report.board.address.colonSeparated),
    ]
    fields["rssi_dbm"] = report.rssi.map { .integer(Int64($0)) }
    // While joining is closed, nobody expects the board to be admitted.
    if let refusal, refusal != .closed { fields["reason"] = .string(refusal.rawValue) }
    await gateway.publish(.boardDiscovered, isBootloader ? "bootloader" : "new", fields: fields)
  }

  private static let wideScan = Duration.seconds(10)

  /// Looks for boards that are missing, until it is cancelled.
  static func lookForMissingBoards(of gateway: isolated Gateway) async {
    while !Task.isCancelled {
      await widenScanIfNeeded(gateway)
      do { try await gateway.environment.timekeeper.sleep(for: WideScanSchedule.silence) } catch { return }
    }
  }

  /// Looks without the service filter for boards that are missing: real boards do not always advertise a service.
  private static func widenScanIfNeeded(_ gateway: isolated Gateway) async {
    // A scan on request has a filter of its own.
    guard gateway.radio.trouble == nil, gateway.radio.scan == nil else { return }
    let (uptime, environment) = (gateway.uptime, gateway.environment)
    var isMissing = false
    for supervisor in gateway.supervisorsInOrder
    where await supervisor.isSilent(for: WideScanSchedule.silence, at: uptime) {
      isMissing = true
      break
    }
    guard gateway.radio.wideScans.isDue(isMissing: isMissing, at: uptime) else { return }
    await environment.radio.discover(true, unfiltered: true)
    do { try await environment.timekeeper.sleep(for: wideScan) } catch { return }
    await environment.radio.discover(true, unfiltered: false)
  }
}
