import FleetModel

/// As it is published.
extension Rollout {
  /// What its document says at `now`.
  func report(began: Timestamp, at now: Timestamp) -> RolloutReport {
    RolloutReport(
      id: plan.id, group: plan.group, version: plan.version, phase: phase, isPaused: isPaused, reason: reason,
      counts: RolloutCounts(self).counts, perHour: perHour, next: due(after: now), began: began, rows: rows,
      time: now)
  }

  /// Who does not have the firmware: who needs somebody first, who only waits last.
  private var rows: [RolloutReport.Row] {
    let order: [RolloutReport.Row.State] = [
      .stranded, .failed, .overdue, .running, .waiting, .skipped, .refused,
    ]
    var rows = members.compactMap { board, member -> RolloutReport.Row? in
      RolloutReport.Row.State(rawValue: member.word).map { .init(board, $0, member.reason) }
    }
    rows += plan.refusals.map { .init($0.key, .refused, $0.value) }
    func place(_ row: RolloutReport.Row) -> Int { order.firstIndex(of: row.state) ?? order.count }
    return rows.sorted { (place($0), $0.board) < (place($1), $1.board) }
  }
}

/// Events of a rollout: what is different from before (MQTT contract 5). Pure.
enum RolloutChanges {
  /// What happened, in order; `before` is nil of one that was just given.
  static func types(from before: Rollout?, to now: Rollout) -> [String] {
    var types: [String] = before == nil ? ["started"] : []
    if let before, before.isPaused != now.isPaused, !now.phase.isEnd {
      types.append(now.isPaused ? "paused" : "resumed")
    }
    if before?.phase != now.phase {
      switch now.phase {
      case .planned, .canary: break
      case .soaking, .rolling, .done, .aborted, .expired: types.append(now.phase.rawValue)
      }
    }
    return types
  }

  /// The fields of each.
  static func fields(of rollout: Rollout) -> JSONObject {
    let counts = RolloutCounts(rollout).counts
    func count(_ count: RolloutCount) -> JSONValue { .integer(Int64(counts[count] ?? 0)) }
    return [
      "id": .string(rollout.plan.id), "group": .string(rollout.plan.group),
      "version": .string(rollout.plan.version), "total": count(.total), "done": count(.done),
      "failed": count(.failed), "stranded": count(.stranded),
    ]
  }
}
