import BoardKit
import FleetModel

/// Switches an adapter off and on.
enum AdapterReset {
  /// What hangs in a controller rarely survives its power (escalation ladder, rung 6).
  static func run(_ id: AdapterID, by radio: isolated BlueZRadio) async throws(LinkFailure) {
    guard let service = radio.service else {
      throw LinkFailure(.serviceGone, "bluetoothd is not running; systemctl start bluetooth")
    }
    guard let context = radio.contexts[id], let adapter = radio.tree.adapter(id) else {
      throw LinkFailure(.adapterGone, "there is no Bluetooth adapter \(id)")
    }
    context.plan.beganReset()
    defer {
      context.plan.endedReset()
      context.waker.wake()
    }
    // The second also after a first that went unanswered: it may have been done.
    let outcomes = [
      await service.setPower(false, of: adapter, within: radio.policy.call),
      await service.setPower(true, of: adapter, within: radio.policy.call),
    ]
    for case .failure(let failure) in outcomes {
      throw BlueZFailures.meaning(of: failure, while: .using)
    }
    await radio.refresh(adapter.path, BlueZNames.adapter, service, within: radio.policy.call)
    guard radio.tree.adapter(id)?.isPowered == true else {
      throw LinkFailure(
        .adapterOff, "\(adapter.name) stays off after being switched on; see rfkill list bluetooth")
    }
  }
}
