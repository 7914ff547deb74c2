import FleetModel
import Storage

/// Which boards are wanted, and who said so: the file, verbs that admitted boards, verbs that chose profiles. Pure.
struct FleetRoster: Sendable {
  private var admitted: [BoardID: (admission: Admission, origin: DesiredBoard.Origin)] = [:]
  /// Profiles that verbs chose.
  private var choices: [BoardID: ProfileChoice] = [:]
  /// All of it together, as it was last looked at.
  private(set) var desired: [BoardID: DesiredBoard] = [:]

  init() {}

  /// As it was when the last run ended.
  init(_ memories: [BoardID: BoardMemory], _ admissions: [BoardAdmission]) {
    choices = memories.compactMapValues { StoredSetup($0.overlay).choice }
    for kept in admissions {
      guard let admission = StoredAdmission.read(kept) else { continue }
      admitted[admission.board] = (admission, DesiredBoard.Origin(rawValue: kept.admittedBy) ?? .command)
    }
  }

  /// Takes what the configuration says. Returns what has to happen because of that and of what verbs said since.
  mutating func reconcile(with file: FleetConfiguration) -> ReconcilePlan {
    let wanted = DesiredFleet.boards(
      file: file, admitted: admitted.sorted { $0.key < $1.key }.map(\.value), choices: choices)
    let plan = ReconcilePlan(from: desired, to: wanted)
    desired = wanted
    return plan
  }

  /// An admission on top of an earlier one of the same board.
  func merged(_ admission: Admission) -> Admission {
    StoredAdmission.merge(admission, over: admitted[admission.board]?.admission)
  }

  /// Who admitted a board first counts.
  mutating func admit(_ admission: Admission, origin: DesiredBoard.Origin) {
    admitted[admission.board] = (admission, admitted[admission.board]?.origin ?? origin)
  }

  func isAdmitted(_ board: BoardID) -> Bool { admitted[board] != nil }

  /// Whether a board stands in the file, which verbs do not change.
  func isListed(_ board: BoardID) -> Bool { desired[board]?.origin == .file }

  /// Another board that has the name already.
  func owner(of name: String, besides board: BoardID) -> BoardID? {
    desired.values.filter { $0.name == name && $0.board != board }.map(\.board).min()
  }

  mutating func dismiss(_ board: BoardID) { admitted[board] = nil }

  mutating func choose(_ choice: ProfileChoice?, for board: BoardID) { choices[board] = choice }

  /// The boards of a group, with the groups of each; all boards are in one without being listed.
  func members(of group: String) -> [BoardID: [String]] {
    desired.filter { group == GroupRules.all || $0.value.groups.contains(group) }.mapValues(\.groups)
  }
}
