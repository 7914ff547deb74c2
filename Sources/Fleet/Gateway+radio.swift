import BoardKit
import FleetModel
import Logging

/// What the radio tells the gateway.
extension Gateway {
  /// A listed board unheard for so long is looked for without the service filter: real boards do not always
  /// advertise it.
  static let unheardLimit = Duration.seconds(300)
  static let wideScan = Duration.seconds(10)

  func watchRadio() async {
    for await event in environment.radio.events {
      switch event {
      case .service(let isAvailable, let message): await serviceChanged(isAvailable, message)
      case .adapter(let status): await adapterChanged(status)
      case .adapterGone(let adapter): await adapterGone(adapter)
      case .sighting(let sighting): await sighted(sighting)
      case .connection(let board, let adapter, let isConnected):
        connected[board] = isConnected ? adapter : nil
        if isConnected {
          await airtime.connected(board, on: adapter)
          await adopt(board, on: adapter)
        }
      }
    }
  }

  /// A link left over by an earlier run: a connected board does not advertise, so the system's word stands for it.
  private func adopt(_ board: BoardID, on adapter: AdapterID) async {
    guard let supervisor = supervisors[board], await supervisor.session == nil else { return }
    await airtime.sighted(board, by: adapter, rssi: nil)
    await supervisor.isThere()
  }

  /// Looks again, in case the moment was missed: nothing may depend on one event.
  func adoptWhatIsConnected() async {
    for (board, adapter) in connected.sorted(by: { $0.key < $1.key }) { await adopt(board, on: adapter) }
  }

  private func serviceChanged(_ isAvailable: Bool, _ message: String) async {
    serviceMessage = message
    guard isAvailable != isServiceAvailable else { return }
    isServiceAvailable = isAvailable
    environment.log.notice("Bluetooth", metadata: ["available": "\(isAvailable)", "message": "\(message)"])
    await tell(.bluetooth, isAvailable ? "restored" : "lost", fields: ["reason": .string(message)])
    if !isAvailable {
      for adapter in adapters.keys.sorted() { await airtime.update(adapter, isUsable: false) }
      for adapter in adapters.keys { adapters[adapter]?.state = .missing }
      connected.removeAll()
    }
    await judgeRadio()
  }

  private func adapterChanged(_ status: AdapterStatus) async {
    if let wanted = configuration.bluetooth.adapters, !wanted.contains(status.id) { return }
    let before = adapters[status.id]
    adapters[status.id] = status
    if before?.state != status.state {
      await airtime.update(status.id, isUsable: status.state == .up)
      let fields: JSONObject = ["adapter": .string(status.id.description), "name": .string(status.name)]
      switch status.state {
      case .up: if before != nil { await tell(.adapter, "returned", fields: fields) }
      case .blocked: await tell(.adapter, "blocked", fields: fields)
      case .failed: await tell(.adapter, "failed", fields: fields)
      case .down, .missing: break
      }
      await judgeRadio()
    }
    reportAlarm.ring()
  }

  private func adapterGone(_ adapter: AdapterID) async {
    guard let status = adapters[adapter], status.state != .missing else { return }
    adapters[adapter]?.state = .missing
    await airtime.update(adapter, isUsable: false)
    await tell(
      .adapter, "lost", fields: ["adapter": .string(adapter.description), "name": .string(status.name)])
    await judgeRadio()
    reportAlarm.ring()
  }

  /// Tells every supervisor when the radio as a whole comes or goes.
  private func judgeRadio() async {
    let trouble: Availability.Reason? =
      if !isServiceAvailable { .busLost } else if adapters.values.contains(where: { $0.state == .up }) {
        nil
      } else {
        .noAdapter
      }
    guard trouble != lastTrouble else { return }
    lastTrouble = trouble
    let message = trouble == .noAdapter ? "no Bluetooth adapter can be used" : serviceMessage
    for supervisor in supervisorsInOrder { await supervisor.radioChanged(trouble, message) }
    if trouble == nil { await adoptWhatIsConnected() }
    reportAlarm.ring()
  }

  private func sighted(_ sighting: Sighting) async {
    lastAdvertisement[sighting.adapter] = sighting.time
    if scanning != nil { scanning?[sighting.board] = sighting }
    if let wanted = configuration.bluetooth.adapters, !wanted.contains(sighting.adapter) { return }
    let isBootloader = environment.family.isBootloader(sighting)
    if let supervisor = supervisors[sighting.board] {
      if !isBootloader { await airtime.sighted(sighting.board, by: sighting.adapter, rssi: sighting.rssi) }
      return await supervisor.sighted(sighting, isBootloader: isBootloader)
    }
    guard environment.family.recognises(sighting) || isBootloader else { return }
    await discover(sighting, isBootloader: isBootloader)
  }

  /// A board that is not ours: told once a day, and let in where the door is open.
  private func discover(_ sighting: Sighting, isBootloader: Bool) async {
    if door.isOpen(at: uptime), !isBootloader {
      let admission = Admission(board: sighting.board, profile: door.profile)
      if case .done = await admit(admission, origin: door.origin) {
        // It is there now; its next advertisement may be ten seconds away.
        if supervisors[sighting.board] != nil { await sighted(sighting) }
        return
      }
    }
    let uptime = uptime
    if let told = discovered[sighting.board], uptime - told < .seconds(86_400) { return }
    if discovered.count >= Self.discoveredLimit {
      discovered = discovered.filter { uptime - $0.value < .seconds(3600) }
    }
    guard discovered.count < Self.discoveredLimit else { return }
    discovered[sighting.board] = uptime
    var fields: JSONObject = [
      "board": .string(sighting.board.description),
      "name": .string(sighting.name ?? sighting.board.address.colonSeparated),
    ]
    fields["rssi_dbm"] = sighting.rssi.map { .integer(Int64($0)) }
    await tell(.boardDiscovered, isBootloader ? "bootloader" : "new", fields: fields)
  }

  /// Strangers remembered, so that a crowd of changing addresses cannot fill the memory.
  static let discoveredLimit = 10_000

  /// Looks once without the filter when a wanted board has not been heard for long.
  func widenScanIfNeeded() async {
    guard lastTrouble == nil else { return }
    let uptime = uptime
    var isMissing = false
    for supervisor in supervisorsInOrder where await supervisor.isUnheard(for: Self.unheardLimit, at: uptime)
    {
      isMissing = true
      break
    }
    guard isMissing else { return }
    await environment.radio.discover(true, unfiltered: true)
    do { try await environment.timekeeper.sleep(for: Self.wideScan) } catch { return }
    await environment.radio.discover(true, unfiltered: false)
  }
}
