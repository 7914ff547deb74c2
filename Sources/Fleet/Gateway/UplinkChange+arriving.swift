import FleetModel
import Storage

/// What happens to the connection with the broker, taken by the gateway.
extension UplinkChange {
  func arrive(at gateway: isolated Gateway) async {
    switch self {
    case .connected(let version, let lostAt, let outage, let reason):
      gateway.documents.mqttProtocol = version
      if let lostAt, let outage {
        var fields: JSONObject = ["outage_s": .number((outage.inSeconds * 10).rounded() / 10)]
        fields["reason"] = reason.map { .string($0) }
        await gateway.publish(.brokerLost, "lost", fields: fields, at: lostAt)
        await gateway.publish(.brokerRestored, "restored", fields: fields)
      }
      // What was dropped while nobody heard it is said now.
      await gateway.uplink.enforceLimits(at: MaintenanceLoop.retentionTime(gateway))
      // What a broker that was away has is as old as the outage.
      await GatewayReports.publishHealth(gateway)
      gateway.services.reportWaker.wake()
    case .foundAdapters(let adapters): await AdapterRemoval.adopt(adapters, by: gateway)
    case .lost(let reason, let isTakenOver):
      if isTakenOver { await gateway.publish(.brokerLost, "taken-over", fields: ["reason": .string(reason)]) }
    case .refused(let topic, let kind, let code, let rows):
      await gateway.publish(
        .publishRefused, kind,
        fields: [
          "topic": .string(topic), "reason_code": .integer(Int64(code)), "rows": .integer(Int64(rows)),
        ])
    case .refusing(let topics, let reason):
      gateway.documents.troubles.refusedTopics = topics
      gateway.documents.troubles.refusalReason = reason
      gateway.services.reportWaker.wake()
    case .repaired(let topic, let isCleared, let count):
      await gateway.publish(
        .retainedChanged, isCleared ? "cleared" : "altered",
        fields: ["topic": .string(topic), "count": .integer(Int64(count))])
    case .notGranted(let topics):
      gateway.documents.troubles.refusedSubscriptions = topics
      gateway.services.reportWaker.wake()
    case .dropped(let board, let samples): await gateway.supervisors[board]?.dropped(samples)
    case .storage(let failure):
      await gateway.stored(.outbox, failure)
      // Room is made at once.
      if failure == .low || failure == .full || failure == nil { gateway.services.maintenanceWaker.wake() }
    case .slow(let isSlow): await gateway.stored(.pace, as: isSlow ? .slow : nil)
    }
  }
}
