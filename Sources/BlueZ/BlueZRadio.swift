package import BoardKit
package import DBus
package import EventLoops
package import FleetModel

/// `org.bluez` as a radio: keeps a mirror of it, and acts on what the mirror shows rather than on single signals.
///
/// It shares its loop with the D-Bus connection and the notification sockets, so signals, answers and packets are
/// seen in the order in which they came, without a hop.
package actor BlueZRadio: Radio {
  package nonisolated let loop: EventLoop
  package nonisolated var executor: any SerialExecutor { loop }
  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  package nonisolated let events: AsyncStream<RadioEvent>

  var setup: BlueZSetup
  nonisolated let address: DBusAddress
  private nonisolated let clock: RadioClock
  private nonisolated let outbox: RadioOutbox

  /// Woken when the bus or bluetoothd came or went, or an adapter needs a context.
  nonisolated let radioWaker: LoopWaker
  var bluetoothd = BlueZServiceState.absent
  var tree = BlueZTree()
  var discovery: AdapterPlan.DiscoveryRequest?
  var contexts: [AdapterID: AdapterContext] = [:]
  /// Adapters whose context does not run yet.
  var pendingAdapters: [AdapterID] = []
  var links: [DeviceKey: BlueZLink] = [:]
  let connector: DeviceConnector
  private var announcements = RadioStatusFilter()

  /// How long the radio's loop may let packets gather, each of which has a stamp of its own: with two hundred boards it
  /// saves a third of the processor time to poll ten times a second and not a hundred.
  package static let longestPause = Duration.milliseconds(100)
  /// And while a board may be answering.
  package static let shortestPause = Duration.milliseconds(10)
  /// A board has answered a write by then, unless it is busy: some connection intervals.
  static let answerSpan = Duration.milliseconds(500)

  package init(
    _ setup: BlueZSetup, on loop: EventLoop, address: DBusAddress = .system, timekeeper: any Timekeeper
  ) {
    self.setup = setup
    self.loop = loop
    self.address = address
    clock = RadioClock(timekeeper: timekeeper)
    connector = DeviceConnector(on: loop, policy: setup.policy)
    let outbox = RadioOutbox(waker: LoopWaker(on: loop))
    self.outbox = outbox
    events = AsyncStream { await outbox.next() }
    radioWaker = LoopWaker(on: loop)
  }

  var policy: BlueZPolicy { setup.policy }
  nonisolated var now: Timestamp { clock.now }
  nonisolated var uptime: Duration { clock.uptime }
  var service: BlueZService? { bluetoothd.service }

  package nonisolated func pause(
    for duration: Duration, by timekeeper: any Timekeeper
  ) async throws(CancellationError) {
    try await Self.pause(for: duration, on: loop)
  }

  /// Ends after a poll of the sockets; polls are nearly as frequent as ticks.
  package static func pause(for duration: Duration, on loop: EventLoop) async throws(CancellationError) {
    try await loop.sleep(for: duration * 5 / 4, endingWithLookAfter: duration * 3 / 4)
  }

  package func discover(_ isWanted: Bool, unfiltered: Bool) {
    discovery = isWanted ? (unfiltered ? .everything : .ours) : nil
    for context in contexts.values { context.waker.wake() }
  }

  package func expect(_ boards: Set<BoardID>, isSilenceNormal: Bool) {
    (setup.boards, setup.isSilenceNormal) = (boards, isSilenceNormal)
    for context in contexts.values { context.waker.wake() }
  }
}

// Links.
extension BlueZRadio {
  package func connect(
    to board: BoardID, via adapter: AdapterID, timeout: Duration
  ) async throws(LinkFailure) -> any BoardLink {
    let device = try await connector.connect(
      to: DeviceKey(board: board, adapter: adapter), timeout: timeout, in: self)
    return link(device)
  }

  package func forget(_ board: BoardID, on adapter: AdapterID) async {
    await connector.forget(DeviceKey(board: board, adapter: adapter), in: self)
  }

  /// Takes down the device of a link that has ended, if it is still up and nobody uses it.
  func leave(_ link: BlueZLink, _ service: BlueZService) async {
    let key = link.key
    guard self.service == service, links[key] == nil, tree.device(key)?.isConnected == true else { return }
    await connector.leave(key, in: self)
  }

  private func link(_ device: DeviceConnector.Device) -> BlueZLink {
    endLink(of: device.key, LinkFailure(.closed, "replaced by a new connection"))
    let link = BlueZLink(
      device.key, device: device.path, characteristics: tree.characteristics(of: device.key),
      service: device.service, policy: policy, wasFoundUp: device.wasFoundUp, radio: self)
    links[device.key] = link
    return link
  }

  func endLink(of key: DeviceKey, _ failure: LinkFailure) {
    links[key]?.assumeIsolated { $0.finish(failure) }
  }

  func linkEnded(_ link: BlueZLink) {
    if links[link.key] === link { links[link.key] = nil }
  }
}

// The mirror.
extension BlueZRadio {
  func received(_ signal: DBusSignal) {
    // What an earlier bluetoothd, or somebody who plays one, says does not count (fault F10).
    if signal.sender == bluetoothd.owner { absorb(tree.apply(signal)) }
  }

  func isServed(_ adapter: AdapterID) -> Bool { setup.adapters?.contains(adapter) ?? true }

  /// Reads properties, for signals may have been missed.
  func refresh(_ path: String, _ interface: String, _ service: BlueZService, within deadline: Duration) async
  {
    _ = await service.ask(service.properties(of: path, interface), within: deadline) { [weak self] outcome in
      guard let values = try? outcome.get().first?.namedValues else { return }
      self?.assumeIsolated { $0.absorb($0.tree.update(path, interface, values)) }
    }
  }

  /// Tells everyone concerned what has changed in the tree.
  func absorb(_ changes: [BlueZTree.Change]) {
    announcements.adaptersWithoutAddress(tree.adaptersWithoutAddress).map(emit)
    for change in changes {
      switch change {
      case .adapter(let id): adapterChanged(id)
      case .adapterGone(let id): adapterGone(id)
      case .device(let key): connector.watchers.wake(key)
      case .deviceGone(let key): ends(key, Self.deviceGone)
      case .advertised(let key): advertised(key)
      case .connection(let key, let isConnected):
        if isServed(key.adapter) { emit(.connection(key.board, key.adapter, isConnected: isConnected)) }
        if !isConnected { ends(key, linkLoss(of: key)) }
      case .value(let key, let path, let value): links[key]?.assumeIsolated { $0.signalled(value, at: path) }
      }
    }
  }

  private func ends(_ key: DeviceKey, _ failure: LinkFailure) {
    endLink(of: key, failure)
    connector.watchers.wake(key)
  }

  private func linkLoss(of key: DeviceKey) -> LinkFailure {
    guard service != nil else { return LinkFailure(.serviceGone, "bluetoothd stopped") }
    guard let adapter = tree.adapter(key.adapter) else {
      return LinkFailure(.adapterGone, "the adapter is gone")
    }
    guard adapter.isPowered else { return LinkFailure(.adapterOff, "\(adapter.name) is switched off") }
    return tree.device(key) == nil ? Self.deviceGone : LinkFailure(.linkLost, "the connection was lost")
  }

  private static let deviceGone = LinkFailure(.deviceGone, "BlueZ removed the device")

  func adapterChanged(_ id: AdapterID) {
    guard isServed(id) else { return }
    if contexts[id] == nil {
      contexts[id] = AdapterContext(policy: policy, loop: loop)
      pendingAdapters.append(id)
      radioWaker.wake()
    }
    announce(id)
    contexts[id]?.waker.wake()
  }

  func adapterGone(_ id: AdapterID) {
    for key in links.keys where key.adapter == id {
      endLink(of: key, LinkFailure(.adapterGone, "the adapter is gone"))
    }
    connector.watchers.wake(id)
    contexts.removeValue(forKey: id)?.waker.wake()
    announcements.adapterGone(id).map(emit)
  }

  private func advertised(_ key: DeviceKey) {
    contexts[key.adapter]?.received(at: uptime)
    guard isServed(key.adapter), let device = tree.device(key) else { return }
    guard discovery == .everything || setup.reports(device, of: key.board) else { return }
    emit(
      .advertisement(
        AdvertisementReport(
          board: key.board, adapter: key.adapter, name: device.name, rssi: device.rssi,
          services: device.services,
          time: now)))
  }
}

// News.
extension BlueZRadio {
  func emit(_ event: RadioEvent) { outbox.put(event) }

  func announceService(isAvailable: Bool, _ message: String) {
    announcements.service(isAvailable: isAvailable, message).map(emit)
  }

  /// Says how an adapter is, if that is news.
  func announce(_ id: AdapterID) {
    guard let adapter = tree.adapter(id) else { return }
    let state: AdapterStatus.State =
      adapter.isPowered ? .up : contexts[id]?.plan.blockage == nil ? .down : .blocked
    let status = AdapterStatus(id: id, name: adapter.name, state: state, isDiscovering: adapter.isDiscovering)
    announcements.adapter(status).map(emit)
  }
}
