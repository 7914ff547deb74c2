import Dialects
import FleetModel

/// Rollouts of firmware.
extension GatewayCommand {
  func carryOut(_ request: RolloutRequest, _ gateway: isolated Gateway) async -> CommandOutcome {
    let runner = gateway.services.rollouts
    switch request {
    case .begin(let order): return await runner.begin(order, from: stages.sender)
    case .pause(let id): return await runner.change(id, .pause)
    case .resume(let id): return await runner.change(id, .resume)
    case .abort(let id):
      let who = stages.sender.claimedSender.map { " by \($0)" } ?? ""
      return await runner.change(id, .abort("it was aborted\(who)"))
    case .list:
      let rows = await runner.reports.map { JSONValue.object(Self.row($0)) }
      return .done(evidence: nil, data: ["rollouts": .array(rows)])
    }
  }

  private static func row(_ report: RolloutReport) -> JSONObject {
    var row: JSONObject = [
      "rollout": .string(report.id), "group": .string(report.group), "version": .string(report.version),
      "phase": .string(report.phase.rawValue), "paused": .bool(report.isPaused),
    ]
    row["reason"] = report.reason.map { .string($0) }
    for count in RolloutCount.allCases { row[count.rawValue] = .integer(Int64(report.counts[count] ?? 0)) }
    return row
  }
}

/// What is published of rollouts.
enum RolloutReports {
  static func publish(_ publication: RolloutPublication, by gateway: isolated Gateway) async {
    gateway.documents.rollouts = publication.reports
    var events = publication.forgotten.map { FleetEvent.rolloutForgotten($0) }
    if let changed = publication.changed { events.append(.rollout(changed)) }
    await gateway.uplink.deliver(events)
    for type in publication.events {
      await gateway.publish(.rollout, type, fields: publication.fields, message: publication.message)
    }
    gateway.services.reportWaker.wake()
  }

  /// What health says of them.
  static func numbers(_ reports: [RolloutReport]) -> [Metric: Double] {
    let active = reports.filter(\.isActive)
    func sum(_ counts: RolloutCount...) -> Double {
      Double(active.reduce(0) { sum, report in sum + counts.reduce(0) { $0 + (report.counts[$1] ?? 0) } })
    }
    return [
      .rolloutsActive: Double(active.count), .rolloutPending: sum(.pending, .running),
      .rolloutFailed: sum(.failed, .stranded),
    ]
  }
}
