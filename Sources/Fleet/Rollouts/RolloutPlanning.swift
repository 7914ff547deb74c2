import BoardKit
import FleetModel

/// Works out who gets the firmware and who cannot have it, before anything is begun.
struct RolloutPlanning: Sendable {
  let order: RolloutOrder
  /// The boards of the group.
  let boards: [BoardID: RolloutBoard]
  let permissions: CommandPermissions
  /// Who gave it.
  var sender: [UserProperty] = []
  /// Whether there is firmware for boards of a kind, fetched and checked; throws why not.
  let installation: @Sendable (InstallationRequest) async throws(CommandFailure) -> Void

  /// The plan; of boards that are alike the firmware is looked for once.
  func plan() async -> RolloutPlan {
    var refusals: [BoardID: String] = [:]
    var members: [RolloutPlan.Member] = []
    var answers: [InstallationRequest: String?] = [:]
    for (id, board) in boards.sorted(by: { $0.key < $1.key }) {
      if let refusal = Self.refusal(of: board, id, order, permissions) {
        refusals[id] = refusal
        continue
      }
      guard let request = Self.request(for: board, order) else { continue }
      if answers[request] == nil {
        let answer = await refusal(of: request)
        answers.updateValue(answer, forKey: request)
      }
      if let refusal = answers[request] ?? nil {
        refusals[id] = refusal
      } else {
        var member = RolloutPlan.Member(
          board: id, kind: board.kind, battery: board.battery, signal: board.signal, health: board.health)
        member.installed = board.installed
        member.health.linkFailures = board.linkFailuresPerDay
        members.append(member)
      }
    }
    return RolloutPlan(
      id: order.id, group: order.group, version: order.version, options: order.options, members: members,
      refusals: refusals, sender: sender)
  }

  private func refusal(of request: InstallationRequest) async -> String? {
    do throws(CommandFailure) {
      try await installation(request)
      return nil
    } catch { return error.message }
  }

  /// Why a board cannot have it, as far as nothing has to be fetched to know.
  static func refusal(
    of board: RolloutBoard, _ id: BoardID, _ order: RolloutOrder, _ permissions: CommandPermissions
  ) -> String? {
    guard permissions.allows("firmware-update", on: id, in: board.groups) else {
      return "firmware-update is not allowed for it (commands.allow)"
    }
    guard board.recipient != nil else { return "nobody knows which board it is, as it never answered" }
    guard !order.options.isForced, let installed = board.installed else { return nil }
    if installed == order.version { return "it has firmware \(installed) already" }
    if VersionOrder.isNewer(order.version, than: installed) { return nil }
    return "it has firmware \(installed), which is newer; force=true installs \(order.version) all the same"
  }

  private static func request(for board: RolloutBoard, _ order: RolloutOrder) -> InstallationRequest? {
    board.recipient.map {
      InstallationRequest(
        recipient: $0, version: order.version, bootloader: board.bootloader,
        allowsBootloader: order.options.allowsBootloader)
    }
  }
}

/// What is answered to who gave a rollout.
extension RolloutPlan {
  /// The keys of `data` (MQTT contract 4.3).
  func answer(isDryRun: Bool) -> JSONObject {
    let refused = refusals.sorted { $0.key < $1.key }.prefix(RolloutReport.mostRows)
    return [
      "rollout": .string(id), "dry_run": .bool(isDryRun),
      "boards": .integer(Int64(members.count)),
      "first": .array(canaries.sorted().map { .string($0.description) }),
      "refused_count": .integer(Int64(refusals.count)),
      "refused": .array(
        refused.map { ["board": .string($0.key.description), "reason": .string($0.value)] }),
    ]
  }

  /// The command that updates one of its boards; `attempt` counts from 1, and each has an id of its own.
  func request(for board: BoardID, attempt: Int, at now: Timestamp) -> CommandRequest {
    let id = GroupRules.memberID(of: board, in: id) + (attempt > 1 ? ".\(attempt)" : "")
    var arguments: JSONObject = ["confirm": .string(board.description), "version": .string(version)]
    if options.allowsBootloader { arguments["allow_bootloader"] = true }
    if options.isForced { arguments["force"] = true }
    var request = CommandRequest(
      id: id, hasSenderID: true, target: .board(board), verb: "firmware-update", arguments: arguments,
      mode: .now, expires: now + Self.startLimit, issued: nil, arrived: now,
      payloadHash: StableHash.of(JSONWriter.render(arguments)))
    request.sender = sender
    return request
  }

  /// Until when the update of a board has to begin, once it is its turn.
  private static let startLimit = Duration.seconds(300)
}
