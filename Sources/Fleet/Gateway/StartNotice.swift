import Dialects
import FleetModel
import Logging
import Storage

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

  /// What was taken without a clock is not taken for decades old now. A disk that refuses is asked again each round,
  /// and nothing is old enough to go until then (`MaintenanceLoop.retentionTime`).
  private static func redate(_ gateway: isolated Gateway, isFirst: Bool) async {
    let step = gateway.documents.clock.step
    do throws(StoreFailure) {
      try await gateway.environment.store.redate(by: step)
      gateway.documents.clock.redated()
    } catch {
      guard isFirst else { return }
      gateway.environment.log.error(
        "what was stored before the clock was set cannot be dated anew yet; none of it is deleted for its age until it is",
        metadata: ["reason": "\(error)"])
    }
  }

  /// Tells that the host's clock is not set, and later that it is.
  static func publishClock(of gateway: isolated Gateway) async {
    let now = gateway.now
    let change = gateway.documents.clock.note(now, uptime: gateway.uptime)
    if gateway.documents.clock.needsRedating { await redate(gateway, isFirst: change != nil) }
    guard let change else { return }
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
