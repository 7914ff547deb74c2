import BoardKit
import FleetModel
import Logging

/// The loop that hears the radio and tells the boards.
enum RadioWatch {
  static func run(for gateway: isolated Gateway) async {
    for await event in gateway.environment.radio.events {
      switch event {
      case .service(let isAvailable, let message): await serviceChanged(isAvailable, message, gateway)
      case .adapter(let status): await adapterChanged(status, gateway)
      case .adapterGone(let adapter): await adapterGone(adapter, gateway)
      case .sighting(let sighting): await sighted(sighting, gateway)
      case .connection(let board, let adapter, let isConnected):
        gateway.radio.connection(of: board, on: adapter, isConnected: isConnected)
        if isConnected {
          await gateway.airtime.connected(board, on: adapter)
          await adopt(board, on: adapter, gateway)
        }
      }
    }
  }

  /// A link left over by an earlier run: a connected board does not advertise, so the system's word stands for it.
  private static func adopt(_ board: BoardID, on adapter: AdapterID, _ gateway: isolated Gateway) async {
    guard let supervisor = gateway.supervisors[board], await !supervisor.isLinked else { return }
    await gateway.airtime.sighted(board, by: adapter, rssi: nil)
    await supervisor.isThere()
  }

  /// Looks again, in case the moment was missed: nothing may depend on one event.
  static func adoptWhatIsConnected(_ gateway: isolated Gateway) async {
    for (board, adapter) in gateway.radio.connected.sorted(by: { $0.key < $1.key }) {
      await adopt(board, on: adapter, gateway)
    }
  }

  private static func serviceChanged(
    _ isAvailable: Bool, _ message: String, _ gateway: isolated Gateway
  ) async {
    guard gateway.radio.service(isAvailable, message) else { return }
    gateway.environment.log.notice(
      "Bluetooth", metadata: ["available": "\(isAvailable)", "message": "\(message)"])
    await gateway.tell(.bluetooth, isAvailable ? "restored" : "lost", fields: ["reason": .string(message)])
    if !isAvailable {
      for adapter in gateway.radio.adapters.keys.sorted() {
        await gateway.airtime.update(adapter, isUsable: false)
      }
    }
    await judge(gateway)
  }

  private static func adapterChanged(_ status: AdapterStatus, _ gateway: isolated Gateway) async {
    guard gateway.uses(status.id) else { return }
    if let change = gateway.radio.adapter(status) {
      await gateway.airtime.update(status.id, isUsable: change.isUsable)
      if let type = change.type { await tell(type, of: status, gateway) }
      await judge(gateway)
    }
    gateway.services.reportAlarm.ring()
  }

  private static func adapterGone(_ adapter: AdapterID, _ gateway: isolated Gateway) async {
    guard let status = gateway.radio.adapterGone(adapter) else { return }
    await gateway.airtime.update(adapter, isUsable: false)
    await tell("lost", of: status, gateway)
    await judge(gateway)
    gateway.services.reportAlarm.ring()
  }

  private static func tell(_ type: String, of status: AdapterStatus, _ gateway: isolated Gateway) async {
    await gateway.tell(
      .adapter, type,
      fields: ["adapter": .string(status.id.description), "name": .string(status.name)])
  }

  /// Tells every supervisor when the radio as a whole comes or goes.
  private static func judge(_ gateway: isolated Gateway) async {
    guard gateway.radio.judge() else { return }
    let (trouble, message) = (gateway.radio.trouble, gateway.radio.troubleMessage)
    for supervisor in gateway.supervisorsInOrder { await supervisor.radioChanged(trouble, message) }
    if trouble == nil { await adoptWhatIsConnected(gateway) }
    gateway.services.reportAlarm.ring()
  }

  private static func sighted(_ sighting: Sighting, _ gateway: isolated Gateway) async {
    gateway.radio.sighted(sighting)
    guard gateway.uses(sighting.adapter) else { return }
    let family = gateway.environment.family
    let isBootloader = family.isBootloader(sighting)
    if let supervisor = gateway.supervisors[sighting.board] {
      if !isBootloader {
        await gateway.airtime.sighted(sighting.board, by: sighting.adapter, rssi: sighting.rssi)
      }
      return await supervisor.sighted(sighting, isBootloader: isBootloader)
    }
    guard family.recognises(sighting) || isBootloader else { return }
    await discover(sighting, isBootloader: isBootloader, gateway)
  }

  /// A board that is not ours: told once a day, and let in where the door is open.
  private static func discover(
    _ sighting: Sighting, isBootloader: Bool, _ gateway: isolated Gateway
  ) async {
    if gateway.door.isOpen(at: gateway.uptime), !isBootloader {
      let admission = Admission(board: sighting.board, profile: gateway.door.profile)
      if case .done = await gateway.admit(admission, origin: gateway.door.origin) {
        // It is there now; its next advertisement may be ten seconds away.
        if gateway.supervisors[sighting.board] != nil { await sighted(sighting, gateway) }
        return
      }
    }
    guard gateway.strangers.isNews(sighting.board, at: gateway.uptime) else { return }
    var fields: JSONObject = [
      "board": .string(sighting.board.description),
      "name": .string(sighting.name ?? sighting.board.address.colonSeparated),
    ]
    fields["rssi_dbm"] = sighting.rssi.map { .integer(Int64($0)) }
    await gateway.tell(.boardDiscovered, isBootloader ? "bootloader" : "new", fields: fields)
  }

  /// A listed board unheard for so long is looked for without the service filter: real boards do not always
  /// advertise it.
  private static let unheardLimit = Duration.seconds(300)
  private static let wideScan = Duration.seconds(10)

  /// Looks once without the filter when a wanted board has not been heard for long.
  static func widenScanIfNeeded(_ gateway: isolated Gateway) async {
    guard gateway.radio.trouble == nil else { return }
    let (uptime, environment) = (gateway.uptime, gateway.environment)
    var isMissing = false
    for supervisor in gateway.supervisorsInOrder
    where await supervisor.isUnheard(for: unheardLimit, at: uptime) {
      isMissing = true
      break
    }
    guard isMissing else { return }
    await environment.radio.discover(true, unfiltered: true)
    do { try await environment.timekeeper.sleep(for: wideScan) } catch { return }
    await environment.radio.discover(true, unfiltered: false)
  }
}
