import FleetModel

/// As it is kept: the plan, which does not change, and what became of it.
extension Rollout {
  /// What of it changes.
  struct Kept: Hashable, Sendable {
    var phase: Phase
    var isPaused, isFinished: Bool
    var reason: String?
    var members: [BoardID: RolloutMember]
    var soakEnd, lastStart: Timestamp?
    var healthy: Set<BoardID>
  }

  /// Reads what `document` wrote; nil where it cannot be read any more, or a member of the plan is missing.
  init?(_ plan: RolloutPlan, document: JSONObject) {
    guard let phase = document["phase"]?.string.flatMap(Phase.init(rawValue:)),
      let rows = document["members"]?.object
    else { return nil }
    var members: [BoardID: RolloutMember] = [:]
    for (board, row) in rows.members {
      guard let board = BoardID(board), let object = row.object, let member = RolloutMember(document: object)
      else { return nil }
      members[board] = member
    }
    guard Set(members.keys) == Set(plan.members.map(\.board)) else { return nil }
    func time(_ key: String) -> Timestamp? { document[key]?.integer.map { Timestamp(milliseconds: $0) } }
    let healthy = (document["healthy"]?.array ?? []).compactMap { $0.string.flatMap { BoardID($0) } }
    self.init(
      plan,
      Kept(
        phase: phase, isPaused: document["paused"]?.bool ?? false,
        isFinished: document["finished"]?.bool ?? false, reason: document["reason"]?.string,
        members: members, soakEnd: time("soak_end_ms"), lastStart: time("last_start_ms"),
        healthy: Set(healthy)))
  }

  var document: JSONObject {
    let rows = members.sorted { $0.key < $1.key }.map {
      ($0.key.description, JSONValue.object($0.value.document))
    }
    var document: JSONObject = [
      "phase": .string(phase.rawValue), "paused": .bool(isPaused), "finished": .bool(isFinished),
      "members": .object(JSONObject(rows)),
      "healthy": .array(healthy.sorted().map { .string($0.description) }),
    ]
    document["reason"] = reason.map { .string($0) }
    document["soak_end_ms"] = soakEnd.map { .integer($0.milliseconds) }
    document["last_start_ms"] = lastStart.map { .integer($0.milliseconds) }
    return document
  }
}
