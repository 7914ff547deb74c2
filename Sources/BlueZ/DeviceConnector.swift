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
    let (end, waker) = (radio.uptime + timeout, LoopWaker(on: loop))
    let context = try context(of: key.adapter, in: radio)
    let turn = context.enqueue(waker)
    // With discovery on, connecting takes ten seconds longer (fault F23).
    var isPausing = false
    defer {
      context.leave(turn)
      if isPausing { context.resume() }
    }
    while !context.isTurn(turn) {
      try check(context, key.adapter, in: radio)
      guard radio.uptime < end else {
        throw LinkFailure(.adapterBusy, "the adapter was busy connecting other boards")
      }
      await waker.wait(atMost: end - radio.uptime)
    }
    watchers.add(waker, for: key)
    defer { watchers.remove(waker, for: key) }
    // A link that somebody left behind is only taken over.
    if radio.tree.device(key)?.isConnected != true {
      context.pause()
      isPausing = true
      await wait(for: waker, atMost: policy.quiet, in: radio) { context.plan.isQuiet }
    }
    // Connect would succeed at once, and the link go down all the same.
    await wait(for: waker, atMost: policy.disconnectTimeout, in: radio) { !leaving.contains(key) }
    try check(context, key.adapter, in: radio)
    return try await attempt(key, context, turn, waker, limit: end - radio.uptime, in: radio)
  }

  /// Makes BlueZ forget a board.
  func forget(_ key: DeviceKey, in radio: isolated BlueZRadio) async {
    guard let context = try? context(of: key.adapter, in: radio) else { return }
    let waker = LoopWaker(on: loop)
    // A connection under way would never be answered.
    let turn = context.enqueue(waker)
    defer { context.leave(turn) }
    while !context.isTurn(turn), !Task.isCancelled, radio.contexts[key.adapter] === context {
      await waker.wait()
    }
    radio.endLink(of: key, LinkFailure(.closed, "the board was removed from BlueZ"))
    // Removing a connected device has crashed bluetoothd (fault F30).
    if radio.tree.device(key)?.isConnected == true { await disconnect(key, in: radio) }
    await remove(key, in: radio)
  }

  /// Takes down a device that nobody uses any more.
  func leave(_ key: DeviceKey, in radio: isolated BlueZRadio) async {
    // Up for ever, whatever we say: only a new object helps (fault F04).
    if await !disconnect(key, in: radio) { await remove(key, in: radio) }
  }
}

// One attempt.
extension DeviceConnector {
  private func context(
    of adapter: AdapterID, in radio: isolated BlueZRadio
  ) throws(LinkFailure) -> AdapterContext {
    guard radio.service != nil else {
      throw LinkFailure(.serviceGone, "bluetoothd is not running; systemctl start bluetooth")
    }
    guard let context = radio.contexts[adapter] else {
      throw LinkFailure(.adapterGone, "there is no Bluetooth adapter \(adapter)")
    }
    try check(context, adapter, in: radio)
    return context
  }

  /// Throws if nothing can come of waiting any longer.
  private func check(
    _ context: AdapterContext, _ adapter: AdapterID, in radio: isolated BlueZRadio
  ) throws(LinkFailure) {
    if Task.isCancelled { throw LinkFailure(.closed, "the attempt was cancelled") }
    guard radio.service != nil else { throw LinkFailure(.serviceGone, "bluetoothd stopped") }
    guard radio.contexts[adapter] === context, let object = radio.tree.adapter(adapter) else {
      throw LinkFailure(.adapterGone, "the adapter is gone")
    }
    guard object.isPowered else {
      let cause = context.plan.blockage.map { ": \($0); see `rfkill list bluetooth`" } ?? ""
      throw LinkFailure(.adapterOff, "\(object.name) is switched off\(cause)")
    }
  }

  private func wait(
    for waker: LoopWaker, atMost limit: Duration, in radio: isolated BlueZRadio, until condition: () -> Bool
  ) async {
    let end = radio.uptime + limit
    while !condition(), !Task.isCancelled, radio.uptime < end {
      await waker.wait(atMost: end - radio.uptime)
    }
  }

  private func attempt(
    _ key: DeviceKey, _ context: AdapterContext, _ turn: UInt64, _ waker: LoopWaker, limit: Duration,
    in radio: isolated BlueZRadio
  ) async throws(LinkFailure) -> Device {
    guard let service = radio.service, let device = radio.tree.device(key) else {
      throw LinkFailure(.unreachable, "the adapter has received no advertisement from the board lately")
    }
    let started = radio.uptime
    var plan = ConnectPlan(limit: limit, policy: policy)
    var call: DBusCallID?
    while true {
      if let call, let outcome = answers.removeValue(forKey: call) { plan.replied(outcome) }
      var failure: LinkFailure?
      do throws(LinkFailure) { try check(context, key.adapter, in: radio) } catch { failure = error }
      let view = view(key, in: radio)
      // The next board may be connected while this one's services are resolved.
      if view?.isConnected == true { context.leave(turn) }
      let step = failure.map { .failed($0) } ?? plan.step(view, elapsed: radio.uptime - started)
      switch step {
      case .call:
        call = begin("Connect", device.path, service, within: limit + policy.call, waker, in: radio)
      case .cancelOlder: await disconnect(key, in: radio)
      case .refresh:
        await radio.refresh(device.path, BlueZNames.device, service, within: min(limit, policy.call))
      case .list: try? await radio.list(service)
      case .wait(let limit): await waker.wait(atMost: limit)
      case .ready:
        return Device(key: key, path: device.path, service: service, wasFoundUp: device.isConnected)
      case .failed(let failure, let removal):
        if let call { abandon(call, service) }
        let isUp = radio.tree.device(key)?.isConnected == true
        // What Disconnect does not end, only a new object does (fault F04).
        let isStuck = plan.isPending || isUp ? await !disconnect(key, in: radio) : false
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
  private func disconnect(_ key: DeviceKey, in radio: isolated BlueZRadio) async -> Bool {
    guard let service = radio.service, let device = radio.tree.device(key) else { return true }
    let (waker, end) = (LoopWaker(on: loop), radio.uptime + policy.disconnectTimeout)
    leaving.insert(key)
    watchers.add(waker, for: key)
    let call = begin("Disconnect", device.path, service, within: policy.disconnectTimeout, waker, in: radio)
    defer {
      abandon(call, service)
      leaving.remove(key)
      watchers.remove(waker, for: key)
      watchers.wake(key)
    }
    while radio.service == service, let now = radio.tree.device(key) {
      // A device that was not up yet shows nothing; there the answer counts.
      if !now.isConnected, device.isConnected || answers[call] != nil { return true }
      guard radio.uptime < end else { return !now.isConnected }
      await waker.wait(atMost: min(policy.refreshInterval, end - radio.uptime), evenIfCancelled: true)
      if answers[call] != nil {
        await radio.refresh(device.path, BlueZNames.device, service, within: policy.refreshInterval)
      }
    }
    return true
  }

  /// Calls a method of a device; the answer will be in `answers`, and `waker` wakes.
  private func begin(
    _ member: String, _ path: String, _ service: BlueZService, within deadline: Duration, _ waker: LoopWaker,
    in radio: isolated BlueZRadio
  ) -> DBusCallID {
    let id = service.bus.newCallID()
    service.bus.assumeIsolated { bus in
      _ = bus.send(service.method(path, BlueZNames.device, member), id: id, deadline: deadline) {
        [weak radio] outcome in
        radio?.assumeIsolated { $0.connector.answers[id] = outcome }
        waker.wake()
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
