import BoardKit
import DBus
import FleetModel

/// bluetoothd and one controller, as far as they decide: discovery sessions of clients, devices that come and go,
/// connections with their delays. Calls go in with the time, actions come out in the order in which real clients
/// see them (BlueZ 5.66).
struct FakeAdapter: Sendable {
  var air: Air
  /// What each board in the world advertises now, and the services it has.
  var advertisements: [BluetoothAddress: Advertisement] = [:]
  var services: [BluetoothAddress: [AttributeUUID]] = [:]
  var devices: [BluetoothAddress: FakeDevice] = [:]
  var agenda = Agenda<FakeErrand>()
  var actions: [FakeAction] = []
  var now = Duration.zero
  /// The controller opens one link after the other.
  var controllerIsFreeAt = Duration.zero
  /// An unpaired device is forgotten so long after the last sign of life.
  let memory: Duration
  private(set) var isPowered = true
  /// By a radio switch: it cannot be powered on.
  var isBlocked = false
  /// False once it was pulled out.
  var isPresent = true

  private var sessions = DiscoverySessions()
  private var reports = 0

  init(air: Air, memory: Duration = .seconds(30)) {
    self.air = air
    self.memory = memory
  }

  var isDiscovering: Bool { !sessions.isEmpty }

  /// When `advance(to:)` next has something to do.
  mutating func nextEvent() -> Duration? { agenda.next() }

  mutating func advance(to now: Duration) -> [FakeAction] {
    while let due = agenda.next(), due <= now, let errand = agenda.popDue(at: now) {
      self.now = max(self.now, due)
      carryOut(errand)
    }
    self.now = max(self.now, now)
    return takeActions()
  }

  mutating func takeActions() -> [FakeAction] {
    defer { actions = [] }
    return actions
  }

  private mutating func carryOut(_ errand: FakeErrand) {
    guard isPresent else { return }
    switch errand {
    case .report(let board): report(board)
    case .open(let board): open(board)
    case .refuse(let board), .giveUp(let board): abort(board, .aborted)
    case .answer(let board): answer(board)
    case .resolve(let board): resolve(board)
    case .close(let board): close(board)
    case .lose(let board): lose(board)
    case .forget(let board): forget(board)
    }
  }
}

// Discovery.
extension FakeAdapter {
  mutating func setDiscoveryFilter(
    _ options: [String: DBusValue], by client: String, _ call: FakeCall
  ) -> [FakeAction] {
    do throws(DBusFailure) {
      sessions.set(try DiscoveryFilter(options), of: client)
    } catch {
      return [.fail(call, error)]
    }
    // A session under way takes the new filter, and the scan starts anew.
    if sessions.contains(client) { startScan() }
    return [.reply(call)]
  }

  mutating func startDiscovery(by client: String, _ call: FakeCall) -> [FakeAction] {
    guard isPowered else { return [.fail(call, .notReady)] }
    guard let isFirst = sessions.begin(client) else { return [.fail(call, .alreadyDiscovering)] }
    startScan()
    return [.reply(call)] + (isFirst ? [.adapterChanged(["Discovering": .boolean(true)])] : [])
  }

  mutating func stopDiscovery(by client: String, _ call: FakeCall) -> [FakeAction] {
    guard isPowered else { return [.fail(call, .notReady)] }
    guard sessions.contains(client) else { return [.fail(call, .noDiscovery)] }
    return [.reply(call)] + endSession(of: client)
  }

  /// A client left the bus: its session ends, links stay.
  mutating func clientLeft(_ client: String) -> [FakeAction] {
    endSession(of: client)
  }

  private mutating func endSession(of client: String) -> [FakeAction] {
    guard sessions.end(client) else { return [] }
    for board in advertisements.keys { agenda.set(.report(board), at: nil) }
    silenceDevices()
    actions.append(.adapterChanged(["Discovering": .boolean(false)]))
    // Who waited for a report of the scan is now looked for by the controller itself.
    for board in devices.keys.sorted() { lookFor(board) }
    return takeActions()
  }

  /// The signal strength becomes void, of the device heard last first.
  private mutating func silenceDevices() {
    for device in devices.values.sorted(by: { $0.heard ?? 0 > $1.heard ?? 0 })
    where devices[device.address]?.fallSilent() ?? false {
      actions.append(.deviceChanged(device.address, [:], invalidated: ["RSSI"]))
    }
  }

  private mutating func startScan() {
    for board in advertisements.keys.sorted() { reportSoon(board) }
  }

  private mutating func reportSoon(_ board: BluetoothAddress) {
    agenda.set(.report(board), at: now + .milliseconds(10 + Int(board.rawValue * 7 % 90)))
  }

  /// A board began or ceased to advertise, or says something else than before.
  mutating func advertises(_ board: BluetoothAddress, _ advertisement: Advertisement?) -> [FakeAction] {
    advertisements[board] = advertisement
    guard advertisement != nil else {
      agenda.set(.report(board), at: nil)
      return []
    }
    if isDiscovering { reportSoon(board) } else { lookFor(board) }
    return takeActions()
  }

  private mutating func report(_ board: BluetoothAddress) {
    agenda.set(.report(board), at: now + air.conditions.scanPeriod)
    guard let advertisement = advertisements[board], let rssi = air.hear(board) else { return }
    guard sessions.pass(advertisement, address: board.colonSeparated, rssi: rssi) else { return }
    reports += 1
    if devices[board] == nil {
      let device = FakeDevice(board, advertisement, heard: reports)
      devices[board] = device
      actions.append(.deviceAppeared(board, device.properties(rssi: rssi)))
    } else if let changes = devices[board]?.hear(advertisement, rssi: rssi, as: reports) {
      actions.append(.deviceChanged(board, changes))
    }
    if devices[board]?.link == .idle { forgetLater(board) }
    attempt(board)
  }
}

// Power.
extension FakeAdapter {
  mutating func setPowered(_ isOn: Bool, _ call: FakeCall) -> [FakeAction] {
    guard isOn != isPowered else { return [.reply(call)] }
    guard !(isOn && isBlocked) else { return [.fail(call, .blocked)] }
    return changePower(isOn, answering: call)
  }

  mutating func changePower(_ isOn: Bool, answering call: FakeCall? = nil) -> [FakeAction] {
    isPowered = isOn
    let reply = call.map { [FakeAction.reply($0)] } ?? []
    guard !isOn else { return reply + [.adapterChanged(["Powered": .boolean(true)])] }
    for device in devices.values.sorted(by: { $0.address < $1.address }) where !device.isUp {
      abort(device.address, .aborted)
      remove(device.address)
    }
    // Those with a link lose it and stay.
    for board in devices.keys.sorted() { lose(board) }
    actions += reply
    silenceDevices()
    var changes: [String: DBusValue] = ["Powered": .boolean(false)]
    if isDiscovering { changes["Discovering"] = .boolean(false) }
    sessions.endAll()
    for board in advertisements.keys { agenda.set(.report(board), at: nil) }
    actions.append(.adapterChanged(changes))
    return takeActions()
  }
}
