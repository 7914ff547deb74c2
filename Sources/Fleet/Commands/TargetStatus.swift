import FleetModel

/// How a target stands that a command is judged by. Boards say all of it, groups their members, gateways nothing.
struct TargetStatus: Hashable, Sendable {
  /// Groups that the board is in.
  var groups: [String] = []
  /// Names of chains that the board shall have.
  var chains: Set<String> = []
  /// The adapter of its link, or of its last one.
  var adapter: AdapterID?
  /// Whether commands can be carried out now.
  var isReachable = true
  /// When its next contact is planned.
  var nextContact: Timestamp?
  /// Of a group: its members here, and the groups that each is in.
  var members: [BoardID: [String]] = [:]
}
