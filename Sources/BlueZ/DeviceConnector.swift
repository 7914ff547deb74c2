package import BoardKit
import DBus
package import FleetModel

// Bringing devices up and down.
extension BlueZRadio {
  package func connect(
    to board: BoardID, via adapter: AdapterID, timeout: Duration
  ) async throws(LinkFailure) -> any BoardLink {
    let key = DeviceKey(board: board, adapter: adapter)
    let (end, bell) = (uptime + timeout, Bell(on: loop))
    let keeper = try keeper(of: adapter)
    let turn = keeper.enqueue(bell)
    // With discovery on, connecting takes ten seconds longer (fault F23).
    var isPausing = false
    defer {
      keeper.leave(turn)
      if isPausing { keeper.resume() }
    }
    while !keeper.isTurn(turn) {
      try check(keeper, adapter)
      guard uptime < end else {
        throw LinkFailure(.adapterBusy, "other boards were being connected all the time")
      }
      await bell.wait(atMost: end - uptime)
    }
    watch(key, bell)
    defer { unwatch(key, bell) }
    // A link that somebody left behind is only taken over.
    if tree.device(key)?.isConnected != true {
      keeper.pause()
      isPausing = true
      await wait(for: bell, atMost: policy.quiet) { keeper.plan.isQuiet }
    }
    // Connect would succeed at once, and the link go down all the same.
    await wait(for: bell, atMost: policy.settle) { !leaving.contains(key) }
    try check(keeper, adapter)
    return try await attempt(key, keeper, turn, bell, limit: end - uptime)
  }

  package func forget(_ board: BoardID, on adapter: AdapterID) async {
    let key = DeviceKey(board: board, adapter: adapter)
    guard let keeper = try? keeper(of: adapter) else { return }
    let bell = Bell(on: loop)
    // A connection under way would never be answered.
    let turn = keeper.enqueue(bell)
    defer { keeper.leave(turn) }
    while !keeper.isTurn(turn), !Task.isCancelled, keepers[adapter] === keeper { await bell.wait() }
    endLink(of: key, LinkFailure(.closed, "the board is forgotten"))
    // Removing a connected device has crashed bluetoothd (fault F30).
    if tree.device(key)?.isConnected == true { await bringDown(key) }
    await remove(key)
  }

  /// Takes down the device of a link that has ended, if it is still up and nobody uses it.
  func leave(_ link: BlueZLink, _ service: BlueZService) async {
    let key = link.key
    guard self.service == service, links[key] == nil, tree.device(key)?.isConnected == true else { return }
    // Up for ever, whatever we say: only a new object helps (fault F04).
    if await !bringDown(key) { await remove(key) }
  }
}

extension BlueZRadio {
  private func keeper(of adapter: AdapterID) throws(LinkFailure) -> AdapterKeeper {
    guard service != nil else { throw LinkFailure(.serviceGone, "bluetoothd cannot be reached") }
    guard let keeper = keepers[adapter] else {
      throw LinkFailure(.adapterGone, "there is no adapter \(adapter)")
    }
    try check(keeper, adapter)
    return keeper
  }

  /// Throws if nothing can come of waiting any longer.
  private func check(_ keeper: AdapterKeeper, _ adapter: AdapterID) throws(LinkFailure) {
    if Task.isCancelled { throw LinkFailure(.closed, "the attempt was cancelled") }
    guard service != nil else { throw LinkFailure(.serviceGone, "bluetoothd has left the bus") }
    guard keepers[adapter] === keeper, let object = tree.adapter(adapter) else {
      throw LinkFailure(.adapterGone, "the adapter is gone")
    }
    guard object.isPowered else {
      let cause = keeper.plan.blockage.map { ": \($0); see `rfkill list bluetooth`" } ?? ""
      throw LinkFailure(.adapterOff, "\(object.name) is switched off\(cause)")
    }
  }

  private func wait(for bell: Bell, atMost limit: Duration, until condition: () -> Bool) async {
    let end = uptime + limit
    while !condition(), !Task.isCancelled, uptime < end { await bell.wait(atMost: end - uptime) }
  }

  private func attempt(
    _ key: DeviceKey, _ keeper: AdapterKeeper, _ turn: UInt64, _ bell: Bell, limit: Duration
  ) async throws(LinkFailure) -> BlueZLink {
    guard let service, let device = tree.device(key) else {
      throw LinkFailure(.unreachable, "the adapter has not heard the board lately")
    }
    let started = uptime
    var plan = ConnectPlan(limit: limit, policy: policy)
    var call: DBusCallID?
    while true {
      if let call, let outcome = answers.removeValue(forKey: call) { plan.replied(outcome) }
      var failure: LinkFailure?
      do throws(LinkFailure) { try check(keeper, key.adapter) } catch { failure = error }
      let view = view(key)
      // The next board may be connected while this one's services are resolved.
      if view?.isConnected == true { keeper.leave(turn) }
      let step = failure.map { .failed($0) } ?? plan.step(view, elapsed: uptime - started)
      switch step {
      case .call: call = begin("Connect", device.path, service, within: limit + policy.call, bell)
      case .cancelOlder: await bringDown(key)
      case .look: await refresh(device.path, BlueZNames.device, service, within: min(limit, policy.call))
      case .list: try? await list(service)
      case .wait(let limit): await bell.wait(atMost: limit)
      case .ready: return link(key, device.path, service, wasFoundUp: device.isConnected)
      case .failed(let failure, let removal):
        if let call { abandon(call, service) }
        let isUp = tree.device(key)?.isConnected == true
        // What Disconnect does not end, only a new object does (fault F04).
        let isStuck = plan.isPending || isUp ? await !bringDown(key) : false
        if removal || isStuck { await remove(key) }
        throw failure
      }
    }
  }

  private func view(_ key: DeviceKey) -> ConnectPlan.View? {
    guard let device = tree.device(key) else { return nil }
    let present = Set(tree.characteristics(of: key).keys)
    return ConnectPlan.View(
      isConnected: device.isConnected, isResolved: device.isResolved,
      hasCharacteristics: setup.characteristics.contains { $0.isSubset(of: present) })
  }

  private func link(
    _ key: DeviceKey, _ path: String, _ service: BlueZService, wasFoundUp: Bool
  ) -> BlueZLink {
    endLink(of: key, LinkFailure(.closed, "a new link took its place"))
    let link = BlueZLink(
      key, device: path, characteristics: tree.characteristics(of: key), service: service, policy: policy,
      wasFoundUp: wasFoundUp, radio: self)
    links[key] = link
    return link
  }

  /// Disconnects a device, or cancels what connects it, and waits until it is down, even if the task is cancelled.
  /// False if it is still up after all.
  @discardableResult
  private func bringDown(_ key: DeviceKey) async -> Bool {
    guard let service, let device = tree.device(key) else { return true }
    let (bell, end) = (Bell(on: loop), uptime + policy.settle)
    leaving.insert(key)
    watch(key, bell)
    let call = begin("Disconnect", device.path, service, within: policy.settle, bell)
    defer {
      abandon(call, service)
      leaving.remove(key)
      unwatch(key, bell)
      ring(key)
    }
    while self.service == service, let now = tree.device(key) {
      // A device that was not up yet shows nothing; there the answer counts.
      if !now.isConnected, device.isConnected || answers[call] != nil { return true }
      guard uptime < end else { return !now.isConnected }
      await bell.wait(atMost: min(policy.look, end - uptime), evenIfCancelled: true)
      if answers[call] != nil { await refresh(device.path, BlueZNames.device, service, within: policy.look) }
    }
    return true
  }

  /// Calls a method of a device; the answer will be in `answers`, and `bell` be rung.
  private func begin(
    _ member: String, _ path: String, _ service: BlueZService, within deadline: Duration, _ bell: Bell
  ) -> DBusCallID {
    let id = service.bus.newCallID()
    service.bus.assumeIsolated { bus in
      _ = bus.send(service.method(path, BlueZNames.device, member), id: id, deadline: deadline) {
        [weak self] outcome in
        self?.assumeIsolated { $0.answers[id] = outcome }
        bell.ring()
      }
    }
    return id
  }

  private func abandon(_ call: DBusCallID, _ service: BlueZService) {
    service.bus.assumeIsolated { $0.abandon(call) }
    answers[call] = nil
  }

  /// Reads properties, for signals may have been missed.
  func refresh(_ path: String, _ interface: String, _ service: BlueZService, within deadline: Duration) async
  {
    _ = await service.ask(service.properties(of: path, interface), within: deadline) { [weak self] outcome in
      guard let values = try? outcome.get().first?.namedValues else { return }
      self?.assumeIsolated { $0.absorb($0.tree.update(path, interface, values)) }
    }
  }

  /// Makes BlueZ forget a device; it is discovered anew when it is heard again.
  private func remove(_ key: DeviceKey) async {
    guard let service, let device = tree.device(key) else { return }
    _ = await service.ask(
      service.method(device.adapterPath, BlueZNames.adapter, "RemoveDevice", .objectPath(device.path)),
      within: policy.call)
  }
}
