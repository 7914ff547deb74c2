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
      let step = context.plan.step(
        adapter, discovery: context.isPaused ? nil : discovery,
        isMissing: setup.isAnyMissing(besides: tree.connectedBoards), now: uptime)
      switch step {
      case .wait(let limit): await context.waker.wait(atMost: limit)
      case .powerOn:
        context.plan.poweredOn(await service.setPower(true, of: adapter, within: policy.call), now: uptime)
        announce(id)
      case .start(let discovery, let afterStop):
        let outcome = await service.startDiscovery(
          setup.filter(for: discovery), afterStop: afterStop, of: adapter, within: policy.call)
        context.plan.started(discovery, outcome, now: uptime)
      case .restart(let discovery):
        emit(.scanRestarted(id))
        let outcome = await service.startDiscovery(
          setup.filter(for: discovery), afterStop: true, of: adapter, within: policy.call)
        context.plan.started(discovery, outcome, now: uptime)
      case .refine(let discovery):
        let outcome = await service.setDiscoveryFilter(
          setup.filter(for: discovery), of: adapter, within: policy.call)
        context.plan.refined(discovery, outcome)
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

  package func reset(_ id: AdapterID) async throws(LinkFailure) { try await AdapterReset.run(id, by: self) }

  package func recover(_ action: PrivilegedRecovery) async throws(LinkFailure) {
    let helper = RecoveryHelperClient(address: address, loop: loop)
    switch action {
    case .restartBluetoothd: try await helper.recover(adapter: nil)
    case .resetUSB(let id):
      guard let adapter = tree.adapter(id) else {
        throw LinkFailure(.adapterGone, "there is no Bluetooth adapter \(id)")
      }
      try await helper.recover(adapter: adapter.name)
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
