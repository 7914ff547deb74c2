package import BoardKit
import DBus
package import FleetModel

// Keeping one adapter powered, and discovering when it should.
extension BlueZRadio {
  /// Lives as long as BlueZ has the adapter. Each adapter is kept by a task of its own: one that hangs does not
  /// hold up the others.
  func keep(_ id: AdapterID) async {
    guard let keeper = keepers[id] else { return }
    while !Task.isCancelled, keepers[id] === keeper, let service, let adapter = tree.adapter(id) {
      switch keeper.plan.step(adapter, wish: keeper.isPaused ? nil : wish, now: uptime) {
      case .wait(let limit): await keeper.bell.wait(atMost: limit)
      case .powerOn:
        keeper.plan.poweredOn(await service.setPower(true, of: adapter, within: policy.call), now: uptime)
        announce(id)
      case .start(let wish, let afterStop):
        if afterStop { _ = await service.call("StopDiscovery", at: adapter, within: policy.call) }
        var outcome = await setFilter(wish, of: adapter, service)
        if case .success = outcome {
          outcome = await service.call("StartDiscovery", at: adapter, within: policy.call)
        }
        keeper.plan.started(wish, outcome, now: uptime)
      case .refine(let wish): keeper.plan.refined(wish, await setFilter(wish, of: adapter, service))
      case .stop:
        keeper.plan.stopped(await service.call("StopDiscovery", at: adapter, within: policy.call))
        connector.watchers.ring(id)
      case .look:
        // Without an answer the next look is due later all the same.
        await refresh(adapter.path, BlueZNames.adapter, service, within: policy.call)
        keeper.plan.looked(now: uptime)
      }
    }
    guard !isServed(id), let service, let adapter = tree.adapter(id), adapter.isDiscovering else { return }
    _ = await service.call("StopDiscovery", at: adapter, within: policy.call)
  }

  private func setFilter(
    _ wish: AdapterPlan.Wish, of adapter: AdapterObject, _ service: BlueZService
  ) async -> DBusConnection.Outcome {
    let services = wish == .ours ? setup.services.map(\.description) : nil
    return await service.setDiscoveryFilter(services, of: adapter, within: policy.call)
  }

  /// What hangs in a controller rarely survives its power (escalation ladder, rung 6).
  package func reset(_ id: AdapterID) async throws(LinkFailure) {
    guard let service else { throw LinkFailure(.serviceGone, "bluetoothd cannot be reached") }
    guard let keeper = keepers[id], let adapter = tree.adapter(id) else {
      throw LinkFailure(.adapterGone, "there is no adapter \(id)")
    }
    keeper.plan.beganReset()
    defer {
      keeper.plan.endedReset()
      keeper.bell.ring()
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
      throw LinkFailure(.adapterOff, "\(adapter.name) stays off although it was switched on")
    }
  }

  /// Works with these adapters from now on; others are as good as gone, and their keepers let go of them.
  package func use(_ adapters: Set<AdapterID>?) {
    guard adapters != setup.adapters else { return }
    setup.adapters = adapters
    for id in tree.adapterIDs.sorted() {
      if isServed(id) { adapterChanged(id) } else { adapterGone(id) }
    }
  }
}
