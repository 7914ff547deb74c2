package import BoardKit
import DBus
package import FleetModel

// Keeping one adapter powered, and discovering when it should.
extension BlueZRadio {
  /// Lives as long as BlueZ has the adapter. Each adapter is kept by a task of its own: one that hangs does not
  /// hold up the others.
  func keep(_ id: AdapterID) async {
    guard let context = contexts[id] else { return }
    while !Task.isCancelled, contexts[id] === context, let service, let adapter = tree.adapter(id) {
      switch context.plan.step(adapter, discovery: context.isPaused ? nil : discovery, now: uptime) {
      case .wait(let limit): await context.waker.wait(atMost: limit)
      case .powerOn:
        context.plan.poweredOn(await service.setPower(true, of: adapter, within: policy.call), now: uptime)
        announce(id)
      case .start(let discovery, let afterStop):
        if afterStop { _ = await service.call("StopDiscovery", at: adapter, within: policy.call) }
        var outcome = await setFilter(discovery, of: adapter, service)
        if case .success = outcome {
          outcome = await service.call("StartDiscovery", at: adapter, within: policy.call)
        }
        context.plan.started(discovery, outcome, now: uptime)
      case .refine(let discovery):
        context.plan.refined(discovery, await setFilter(discovery, of: adapter, service))
      case .stop:
        context.plan.stopped(await service.call("StopDiscovery", at: adapter, within: policy.call))
        connector.watchers.wake(id)
      case .refresh:
        // Without an answer the next refresh is due later all the same.
        await refresh(adapter.path, BlueZNames.adapter, service, within: policy.call)
        context.plan.refreshed(now: uptime)
      }
    }
    guard !isServed(id), let service, let adapter = tree.adapter(id), adapter.isDiscovering else { return }
    _ = await service.call("StopDiscovery", at: adapter, within: policy.call)
  }

  private func setFilter(
    _ discovery: AdapterPlan.DiscoveryRequest, of adapter: AdapterObject, _ service: BlueZService
  ) async -> DBusConnection.Outcome {
    let services = discovery == .ours ? setup.services.map(\.description) : nil
    return await service.setDiscoveryFilter(services, of: adapter, within: policy.call)
  }

  /// What hangs in a controller rarely survives its power (escalation ladder, rung 6).
  package func reset(_ id: AdapterID) async throws(LinkFailure) {
    guard let service else {
      throw LinkFailure(.serviceGone, "bluetoothd is not running; systemctl start bluetooth")
    }
    guard let context = contexts[id], let adapter = tree.adapter(id) else {
      throw LinkFailure(.adapterGone, "there is no Bluetooth adapter \(id)")
    }
    context.plan.beganReset()
    defer {
      context.plan.endedReset()
      context.waker.wake()
    }
    // The second also after a first that went unanswered: it may have been done.
    let outcomes = [
      await service.setPower(false, of: adapter, within: policy.call),
      await service.setPower(true, of: adapter, within: policy.call),
    ]
    for case .failure(let failure) in outcomes {
      throw BlueZFailures.meaning(of: failure, while: .using)
    }
    await refresh(adapter.path, BlueZNames.adapter, service, within: policy.call)
    guard tree.adapter(id)?.isPowered == true else {
      throw LinkFailure(
        .adapterOff, "\(adapter.name) stays off after being switched on; see rfkill list bluetooth")
    }
  }

  /// Works with these adapters from now on; others are as good as gone, and their contexts let go of them.
  package func use(_ adapters: Set<AdapterID>?) {
    guard adapters != setup.adapters else { return }
    setup.adapters = adapters
    for id in tree.adapterIDs.sorted() {
      if isServed(id) { adapterChanged(id) } else { adapterGone(id) }
    }
  }
}
