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
        keeper.plan.poweredOn(await setPower(true, of: adapter, service), now: uptime)
        announce(id)
      case .start(let wish, let afterStop):
        if afterStop { _ = await call("StopDiscovery", at: adapter, of: service) }
        var outcome = await setFilter(wish, adapter, service)
        if case .success = outcome { outcome = await call("StartDiscovery", at: adapter, of: service) }
        keeper.plan.started(wish, outcome, now: uptime)
      case .refine(let wish): keeper.plan.refined(wish, await setFilter(wish, adapter, service))
      case .stop:
        keeper.plan.stopped(await call("StopDiscovery", at: adapter, of: service))
        connector.watchers.ring(id)
      case .look:
        // Without an answer the next look is due later all the same.
        await refresh(adapter.path, BlueZNames.adapter, service, within: policy.call)
        keeper.plan.looked(now: uptime)
      }
    }
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
      await setPower(false, of: adapter, service), await setPower(true, of: adapter, service),
    ]
    for case .failure(let failure) in outcomes {
      throw BlueZFailures.meaning(of: failure, while: .using)
    }
    await refresh(adapter.path, BlueZNames.adapter, service, within: policy.call)
    guard tree.adapter(id)?.isPowered == true else {
      throw LinkFailure(.adapterOff, "\(adapter.name) stays off although it was switched on")
    }
  }

  private func setPower(
    _ isOn: Bool, of adapter: AdapterObject, _ service: BlueZService
  ) async -> DBusConnection.Outcome {
    await service.ask(
      service.method(
        adapter.path, BlueZNames.properties, "Set", .string(BlueZNames.adapter), .string("Powered"),
        .variant(.boolean(isOn))),
      within: policy.call)
  }

  private func setFilter(
    _ wish: AdapterPlan.Wish, _ adapter: AdapterObject, _ service: BlueZService
  ) async -> DBusConnection.Outcome {
    var filter: [String: DBusValue] = ["Transport": .string("le")]
    if wish == .ours { filter["UUIDs"] = .strings(setup.services.map(\.description)) }
    return await call("SetDiscoveryFilter", .properties(filter), at: adapter, of: service)
  }

  private func call(
    _ member: String, _ arguments: DBusValue..., at adapter: AdapterObject, of service: BlueZService
  ) async -> DBusConnection.Outcome {
    await service.ask(
      DBusMethodCall(to: service.owner, adapter.path, BlueZNames.adapter, member, arguments),
      within: policy.call)
  }
}
