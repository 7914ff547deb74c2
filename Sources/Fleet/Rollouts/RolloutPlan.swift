import FleetModel

/// What a rollout is to do, frozen when it was given: who gets the firmware, who gets it first, and who cannot have it.
struct RolloutPlan: Hashable, Sendable {
  /// A board that is to get the firmware.
  struct Member: Hashable, Sendable {
    let board: BoardID
    /// Hardware revision and model: firmware that is good for one kind says nothing of another.
    let kind: String
    /// Percent, and dBm; nil where nobody knows.
    let battery, signal: Int?
    /// As it was when this was planned.
    var health: BoardHealth
    /// Firmware that it had then; nil where nobody knew.
    var installed: String?
  }

  let id: String
  let group: String
  let version: String
  let options: RolloutOptions
  /// By their addresses.
  let members: [Member]
  /// Who cannot have the firmware, and why: a sentence.
  let refusals: [BoardID: String]
  /// Who gets it first: of every kind at least one.
  let canaries: Set<BoardID>
  /// What its sender said of itself: claimed, and not proved.
  let sender: [UserProperty]

  init(
    id: String, group: String, version: String, options: RolloutOptions, members: [Member],
    refusals: [BoardID: String], sender: [UserProperty] = []
  ) {
    (self.id, self.group, self.version, self.options) = (id, group, version, options)
    self.members = members.sorted { $0.board < $1.board }
    (self.refusals, self.sender) = (refusals, sender)
    canaries = Self.canaries(of: members, options)
  }

  /// Firmware that a board had when this was planned.
  func installed(on board: BoardID) -> String? { members.first { $0.board == board }?.installed }

  private static func canaries(of members: [Member], _ options: RolloutOptions) -> Set<BoardID> {
    let best = members.sorted {
      ($0.battery ?? -1, $0.signal ?? -999, $1.board) > ($1.battery ?? -1, $1.signal ?? -999, $0.board)
    }
    var chosen = best.filter { options.namedCanaries.contains($0.board) }
    for member in best where !chosen.contains(where: { $0.kind == member.kind }) { chosen.append(member) }
    for member in best where chosen.count < options.canaries && options.namedCanaries.isEmpty {
      if !chosen.contains(member) { chosen.append(member) }
    }
    return Set(chosen.map(\.board))
  }
}

/// As it is kept.
extension RolloutPlan {
  /// Reads what `document` wrote; nil where it cannot be read any more.
  init?(document: JSONObject) {
    guard let id = document["id"]?.string, let group = document["group"]?.string,
      let version = document["version"]?.string, let members = document["members"]?.array,
      let refusals = document["refused"]?.object
    else { return nil }
    var read: [Member] = []
    for member in members {
      guard let object = member.object, let board = object["board"]?.string.flatMap({ BoardID($0) }),
        let kind = object["kind"]?.string
      else { return nil }
      read.append(
        Member(
          board: board, kind: kind, battery: object["battery_pct"]?.integer.map { Int($0) },
          signal: object["rssi_dbm"]?.integer.map { Int($0) },
          health: BoardHealth(document: object["before"]?.object ?? [:]),
          installed: object["installed"]?.string))
    }
    var reasons: [BoardID: String] = [:]
    for (board, reason) in refusals.members {
      guard let board = BoardID(board), let reason = reason.string else { return nil }
      reasons[board] = reason
    }
    self.init(
      id: id, group: group, version: version,
      options: RolloutOptions(document: document["options"]?.object ?? [:]), members: read,
      refusals: reasons,
      sender: (document["sender"]?.object?.members ?? []).compactMap { name, value in
        value.string.map { UserProperty(name, $0) }
      })
  }

  var document: JSONObject {
    [
      "id": .string(id), "group": .string(group), "version": .string(version),
      "options": .object(options.document), "members": .array(members.map { .object($0.document) }),
      "refused": .object(
        JSONObject(refusals.sorted { $0.key < $1.key }.map { ($0.key.description, .string($0.value)) })),
      "sender": .object(JSONObject(sender.map { ($0.name, .string($0.value)) })),
    ]
  }
}

extension RolloutPlan.Member {
  fileprivate var document: JSONObject {
    var document: JSONObject = [
      "board": .string(board.description), "kind": .string(kind), "before": .object(health.document),
    ]
    document["battery_pct"] = battery.map { .integer(Int64($0)) }
    document["installed"] = installed.map { .string($0) }
    document["rssi_dbm"] = signal.map { .integer(Int64($0)) }
    return document
  }
}
