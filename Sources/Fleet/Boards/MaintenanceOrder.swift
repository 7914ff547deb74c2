import FleetModel

/// Carries `maintenance` out, and ends it when its time is over. What is recorded of a board is the same with it and
/// without: it stands in the state and in the board's events, and keeps the board from being counted as one in trouble.
struct MaintenanceOrder: Sendable {
  let request: MaintenanceRequest

  /// Needs no link.
  func carryOut(
    _ stages: CommandProgress, by supervisor: isolated BoardSupervisor
  ) async -> CommandOutcome {
    guard await stages.sent() else { return .failed(.cancelled) }
    let who = stages.sender.claimedSender
    switch request {
    case .start(let duration, let reason):
      let new = Maintenance(until: supervisor.now + duration, reason: reason, who: who)
      supervisor.status.state.orders.maintenance = new
      await Self.changed(to: "started", new.fields, supervisor)
      return .done(evidence: nil, data: ["until_ms": .integer(new.until.milliseconds)])
    case .end:
      guard supervisor.status.state.orders.maintenance != nil else {
        return .done(evidence: nil, data: ["ended": false])
      }
      supervisor.status.state.orders.maintenance = nil
      var fields = JSONObject()
      fields["who"] = who.map { .string($0) }
      await Self.changed(to: "ended", fields, supervisor)
      return .done(evidence: nil, data: ["ended": true])
    }
  }

  /// Ends what lasted until now. Returns when it will be over; nil when there is none.
  static func expire(by supervisor: isolated BoardSupervisor) async -> Duration? {
    guard let maintenance = supervisor.status.state.orders.maintenance else { return nil }
    guard maintenance.until <= supervisor.now else { return supervisor.uptime(of: maintenance.until) }
    supervisor.status.state.orders.maintenance = nil
    await changed(to: "expired", maintenance.fields, supervisor)
    return nil
  }

  /// First on the disk, so that whoever was told of it finds it there after a crash.
  private static func changed(
    to type: String, _ fields: JSONObject, _ supervisor: isolated BoardSupervisor
  ) async {
    await supervisor.remember()
    await supervisor.publish(EventDraft(.maintenance, type, fields: fields))
    supervisor.dueWorkWaker.wake()
  }
}

extension Maintenance {
  /// As events tell it, and as it is kept on disk.
  var fields: JSONObject {
    var fields: JSONObject = ["until_ms": .integer(until.milliseconds)]
    fields["reason"] = reason.map { .string($0) }
    fields["who"] = who.map { .string($0) }
    return fields
  }

  /// Reads what was kept; nil where it cannot be read.
  init?(document: JSONObject) {
    guard let until = document["until_ms"]?.integer else { return nil }
    self.init(
      until: Timestamp(milliseconds: until), reason: document["reason"]?.string, who: document["who"]?.string)
  }
}
