import FleetModel

/// What commands for groups must keep to beside the rules for boards (MQTT contract 4.2).
enum GroupRules {
  /// The group of all boards.
  static let all = "all"
  /// What nobody can mean for every board at once.
  private static let deniedForAll: Set<String> = ["raw", "factory-reset", "bootloader", "firmware-update"]

  /// Throws `denied` where no member may be ordered so. A member that may not while others may learns it by itself.
  static func check(
    _ request: CommandRequest, of group: String, _ members: [BoardID: [String]],
    _ permissions: CommandPermissions
  ) throws(CommandFailure) {
    if group == all, let verb = request.verbs.first(where: deniedForAll.contains) {
      let other = verb == "firmware-update" ? ", or begin a rollout: metafleet rollout all --version …" : ""
      throw CommandFailure(
        .denied, "\(verb) cannot be sent to group:all; name a smaller group, or a board\(other)")
    }
    var refusal: CommandFailure?
    for (board, groups) in members.sorted(by: { $0.key < $1.key }) {
      var member = request
      member.target = .board(board)
      do throws(CommandFailure) { return try permissions.check(member, in: groups) } catch { refusal = error }
    }
    if let refusal { throw refusal }
  }

  /// Throws `invalid` for arguments that cannot fit many boards.
  static func check(arguments: JSONObject) throws(CommandFailure) {
    guard arguments["discard"] == nil else {
      throw .invalid("discard is the number of entries of one board; send it to each board")
    }
  }

  /// The command of one member: the confirmation of the group is the confirmation of its members.
  static func request(for board: BoardID, of job: CommandRequest) -> CommandRequest {
    var request = job
    request.id = memberID(of: board, in: job.id)
    request.target = .board(board)
    request.job = nil
    confirm(&request.arguments, by: board)
    if request.verb == BatchVerb.name {
      request.arguments["commands"] = .array(
        (request.arguments["commands"]?.array ?? []).map { confirmed($0, by: board) })
    }
    request.delivery.isRedelivery = false
    // Members answer on their own topics only; the sender's own topic hears of the job.
    request.replyTo = ReplyAddress()
    return request
  }

  private static func confirm(_ arguments: inout JSONObject, by board: BoardID) {
    if arguments["confirm"] != nil { arguments["confirm"] = .string(board.description) }
  }

  /// One command of a batch.
  private static func confirmed(_ command: JSONValue, by board: BoardID) -> JSONValue {
    guard var command = command.object, var arguments = command["args"]?.object else { return command }
    confirm(&arguments, by: board)
    command["args"] = .object(arguments)
    return .object(command)
  }

  static func memberID(of board: BoardID, in job: String) -> String { "\(job).\(board)" }
}
