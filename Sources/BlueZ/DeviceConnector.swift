import BoardKit
import DBus
import EventLoops
import FleetModel

/// Brings devices up and down, by one attempt at a time over each adapter. Confined to its radio.
final class DeviceConnector {
  /// A device that is up, with its characteristics known.
  struct Device: Sendable {
    let key: DeviceKey
    let path: String
    let service: BlueZService
    /// Whether it was up before anybody asked for that.
    let wasFoundUp: Bool
  }

  private let loop: EventLoop
  private let policy: BlueZPolicy
  var watchers = DeviceWatchers()
  /// Devices that are going down because we said so.
  private var leaving: Set<DeviceKey> = []
  /// Answers that have come in for those who look for them when they are woken.
  private var answers: [DBusCallID: DBusConnection.Outcome] = [:]

  init(on loop: EventLoop, policy: BlueZPolicy) { (self.loop, self.policy) = (loop, policy) }

  func connect(
    to key: DeviceKey, timeout: Duration, in radio: isolated BlueZRadio
  ) async throws(LinkFailure) -> Device {
    let (end, bell) = (radio.uptime + timeout, Bell(on: loop))
    let keeper = try keeper(of: key.adapter, in: radio)
    let turn = keeper.enqueue(bell)
    // With discovery on, connecting takes ten seconds longer (fault F23).
    var isPausing = false
    defer {
      keeper.leave(turn)
      if isPausing { keeper.resume() }
    }
    while !keeper.isTurn(turn) {
      try check(keeper, key.adapter, in: radio)
      guard radio.uptime < end else {
        throw LinkFailure(.adapterBusy, "other boards were being connected all the time")
      }
      await bell.wait(atMost: end - radio.uptime)
    }
    watchers.add(bell, for: key)
    defer { watchers.remove(bell, for: key) }
    // A link that somebody left behind is only taken over.
    if radio.tree.device(key)?.isConnected != true {
      keeper.pause()
      isPausing = true
      await wait(for: bell, atMost: policy.quiet, in: radio) { keeper.plan.isQuiet }
    }
    // Connect would succeed at once, and the link go down all the same.
    await wait(for: bell, atMost: policy.settle, in: radio) { !leaving.contains(key) }
    try check(keeper, key.adapter, in: radio)
    return try await attempt(key, keeper, turn, bell, limit: end - radio.uptime, in: radio)
  }

  /// Makes BlueZ forget a board.
  func forget(_ key: DeviceKey, in radio: isolated BlueZRadio) async {
    guard let keeper = try? keeper(of: key.adapter, in: radio) else { return }
    let bell = Bell(on: loop)
    // A connection under way would never be answered.
    let turn = keeper.enqueue(bell)
    defer { keeper.leave(turn) }
    while !keeper.isTurn(turn), !Task.isCancelled, radio.keepers[key.adapter] === keeper { await bell.wait() }
    radio.endLink(of: key, LinkFailure(.closed, "the board is forgotten"))
    // Removing a connected device has crashed bluetoothd (fault F30).
    if radio.tree.device(key)?.isConnected == true { await bringDown(key, in: radio) }
    await remove(key, in: radio)
  }

  /// Takes down a device that nobody uses any more.
  func leave(_ key: DeviceKey, in radio: isolated BlueZRadio) async {
    // Up for ever, whatever we say: only a new object helps (fault F04).
    if await !bringDown(key, in: radio) { await remove(key, in: radio) }
  }
}

// One attempt.
extension DeviceConnector {
  private func keeper(
    of adapter: AdapterID, in radio: isolated BlueZRadio
  ) throws(LinkFailure) -> AdapterKeeper {
    guard radio.service != nil else { throw LinkFailure(.serviceGone, "bluetoothd cannot be reached") }
    guard let keeper = radio.keepers[adapter] else {
      throw LinkFailure(.adapterGone, "there is no adapter \(adapter)")
    }
    try check(keeper, adapter, in: radio)
    return keeper
  }

  /// Throws if nothing can come of waiting any longer.
  private func check(
    _ keeper: AdapterKeeper, _ adapter: AdapterID, in radio: isolated BlueZRadio
  ) throws(LinkFailure) {
    if Task.isCancelled { throw LinkFailure(.closed, "the attempt was cancelled") }
    guard radio.service != nil else { throw LinkFailure(.serviceGone, "bluetoothd has left the bus") }
    guard radio.keepers[adapter] === keeper, let object = radio.tree.adapter(adapter) else {
      throw LinkFailure(.adapterGone, "the adapter is gone")
    }
    guard object.isPowered else {
      let cause = keeper.plan.blockage.map { ": \($0); see `rfkill list bluetooth`" } ?? ""
      throw LinkFailure(.adapterOff, "\(object.name) is switched off\(cause)")
    }
  }

  private func wait(
    for bell: Bell, atMost limit: Duration, in radio: isolated BlueZRadio, until condition: () -> Bool
  ) async {
    let end = radio.uptime + limit
    while !condition(), !Task.isCancelled, radio.uptime < end {
      await bell.wait(atMost: end - radio.uptime)
    }
  }

  private func attempt(
    _ key: DeviceKey, _ keeper: AdapterKeeper, _ turn: UInt64, _ bell: Bell, limit: Duration,
    in radio: isolated BlueZRadio
  ) async throws(LinkFailure) -> Device {
    guard let service = radio.service, let device = radio.tree.device(key) else {
      throw LinkFailure(.unreachable, "the adapter has not heard the board lately")
    }
    let started = radio.uptime
    var plan = ConnectPlan(limit: limit, policy: policy)
    var call: DBusCallID?
    while true {
      if let call, let outcome = answers.removeValue(forKey: call) { plan.replied(outcome) }
      var failure: LinkFailure?
      do throws(LinkFailure) { try check(keeper, key.adapter, in: radio) } catch { failure = error }
      let view = view(key, in: radio)
      // The next board may be connected while this one's services are resolved.
      if view?.isConnected == true { keeper.leave(turn) }
      let step = failure.map { .failed($0) } ?? plan.step(view, elapsed: radio.uptime - started)
      switch step {
      case .call:
        call = begin("Connect", device.path, service, within: limit + policy.call, bell, in: radio)
      case .cancelOlder: await bringDown(key, in: radio)
      case .look:
        await radio.refresh(device.path, BlueZNames.device, service, within: min(limit, policy.call))
      case .list: try? await radio.list(service)
      case .wait(let limit): await bell.wait(atMost: limit)
      case .ready:
        return Device(key: key, path: device.path, service: service, wasFoundUp: device.isConnected)
      case .failed(let failure, let removal):
        if let call { abandon(call, service) }
        let isUp = radio.tree.device(key)?.isConnected == true
        // What Disconnect does not end, only a new object does (fault F04).
        let isStuck = plan.isPending || isUp ? await !bringDown(key, in: radio) : false
        if removal || isStuck { await remove(key, in: radio) }
        throw failure
      }
    }
  }

  private func view(_ key: DeviceKey, in radio: isolated BlueZRadio) -> ConnectPlan.View? {
    guard let device = radio.tree.device(key) else { return nil }
    let present = Set(radio.tree.characteristics(of: key).keys)
    return ConnectPlan.View(
      isConnected: device.isConnected, isResolved: device.isResolved,
      hasCharacteristics: radio.setup.characteristics.contains { $0.isSubset(of: present) })
  }
}

// Down.
extension DeviceConnector {
  /// Disconnects a device, or cancels what connects it, and waits until it is down, even if the task is cancelled.
  /// False if it is still up after all.
  @discardableResult
  private func bringDown(_ key: DeviceKey, in radio: isolated BlueZRadio) async -> Bool {
    guard let service = radio.service, let device = radio.tree.device(key) else { return true }
    let (bell, end) = (Bell(on: loop), radio.uptime + policy.settle)
    leaving.insert(key)
    watchers.add(bell, for: key)
    let call = begin("Disconnect", device.path, service, within: policy.settle, bell, in: radio)
    defer {
      abandon(call, service)
      leaving.remove(key)
      watchers.remove(bell, for: key)
      watchers.ring(key)
    }
    while radio.service == service, let now = radio.tree.device(key) {
      // A device that was not up yet shows nothing; there the answer counts.
      if !now.isConnected, device.isConnected || answers[call] != nil { return true }
      guard radio.uptime < end else { return !now.isConnected }
      await bell.wait(atMost: min(policy.look, end - radio.uptime), evenIfCancelled: true)
      if answers[call] != nil {
        await radio.refresh(device.path, BlueZNames.device, service, within: policy.look)
      }
    }
    return true
  }

  /// Calls a method of a device; the answer will be in `answers`, and `bell` be rung.
  private func begin(
    _ member: String, _ path: String, _ service: BlueZService, within deadline: Duration, _ bell: Bell,
    in radio: isolated BlueZRadio
  ) -> DBusCallID {
    let id = service.bus.newCallID()
    service.bus.assumeIsolated { bus in
      _ = bus.send(service.method(path, BlueZNames.device, member), id: id, deadline: deadline) {
        [weak radio] outcome in
        radio?.assumeIsolated { $0.connector.answers[id] = outcome }
        bell.ring()
      }
    }
    return id
  }

  private func abandon(_ call: DBusCallID, _ service: BlueZService) {
    service.bus.assumeIsolated { $0.abandon(call) }
    answers[call] = nil
  }

  /// Makes BlueZ forget a device; it is discovered anew when it is heard again.
  private func remove(_ key: DeviceKey, in radio: isolated BlueZRadio) async {
    guard let service = radio.service, let device = radio.tree.device(key) else { return }
    _ = await service.ask(
      service.method(device.adapterPath, BlueZNames.adapter, "RemoveDevice", .objectPath(device.path)),
      within: policy.call)
  }
}
