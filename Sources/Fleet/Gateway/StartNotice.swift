import Dialects
import FleetModel
import Logging

/// Tells what was wrong before this start, and what is missing at it (faults F100, F102).
enum StartNotice {
  static func publish(for gateway: isolated Gateway) async {
    await publishCrash(of: gateway)
    await publishClock(of: gateway)
  }

  private static func publishCrash(of gateway: isolated Gateway) async {
    guard let crash = gateway.environment.host.lastCrash else { return }
    gateway.environment.log.error("\(crash.sentence)")
    var fields = CrashDocument(crash).json
    // It is part of the sentence.
    fields["message"] = nil
    await gateway.publish(.process, "crashed", fields: fields, message: crash.sentence)
  }

  /// Tells that the host's clock is not set, and later that it is.
  static func publishClock(of gateway: isolated Gateway) async {
    let now = gateway.now
    guard let change = gateway.documents.clock.note(now) else { return }
    switch change {
    case .unset:
      gateway.environment.log.warning("\(change.sentence)")
    case .synced:
      gateway.environment.log.notice("\(change.sentence)")
      // When it started is known from now on.
      gateway.started.time = now - (gateway.uptime - gateway.started.uptime)
      gateway.services.reportWaker.wake()
    }
    await gateway.publish(.clock, change.rawValue, message: change.sentence)
  }
}
