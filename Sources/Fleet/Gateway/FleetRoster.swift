import FleetModel
import Storage

/// Which boards are wanted, and who said so: the file, verbs that admitted boards, verbs that chose profiles. Pure.
struct FleetRoster: Sendable {
  /// A board that was admitted at run time.
  private struct Admitted {
    var admission: Admission
    var origin: DesiredBoard.Origin
    /// When it was first admitted.
    var since: Timestamp
  }

  private var admitted: [BoardID: Admitted] = [:]
  /// Profiles that verbs chose.
  private var choices: [BoardID: ProfileChoice] = [:]
  /// All of it together, as it was last looked at.
  private(set) var desired: [BoardID: DesiredBoard] = [:]
  /// Boards that were known when the gateway started and that nothing lists any more, in such number that somebody has
  /// to confirm that they go. Until then they are left alone and nothing of them is removed.
  private(set) var unconfirmed: Set<BoardID> = []
  /// How many of them joined by themselves.
  private(set) var joined = 0

  init() {}

  /// As it was when the last run ended.
  init(_ memories: [BoardID: BoardMemory], _ admissions: [BoardAdmission]) {
    choices = memories.compactMapValues { StoredSetup($0.overlay).choice }
    for kept in admissions {
      guard let admission = StoredAdmission.read(kept) else { continue }
      admitted[admission.board] = Admitted(
        admission: admission, origin: DesiredBoard.Origin(rawValue: kept.admittedBy) ?? .command,
        since: kept.created)
    }
  }

  /// Takes what the configuration says. Returns what has to happen because of that and of what verbs said since.
  mutating func reconcile(with file: FleetConfiguration) -> ReconcilePlan {
    let wanted = wanted(by: file)
    let plan = ReconcilePlan(from: desired, to: wanted)
    desired = wanted
    unconfirmed.subtract(wanted.keys)
    joined = desired.values.count { $0.origin.isJoining }
    return plan
  }

  private func wanted(by file: FleetConfiguration) -> [BoardID: DesiredBoard] {
    DesiredFleet.boards(
      file: file,
      admitted: admitted.sorted { $0.key < $1.key }.map {
        (admission: $0.value.admission, origin: $0.value.origin)
      },
      choices: choices)
  }

  /// Who goes by a file.
  func removal(by file: FleetConfiguration) -> FileRemoval {
    let listed = desired.values.filter { $0.origin == .file }.map(\.board)
    return FileRemoval(
      of: unconfirmed.union(listed), wanted: Set(wanted(by: file).keys), listsNone: file.boards.isEmpty)
  }

  /// Who goes by the first file of a run, of those that the store knows from the last one.
  mutating func begin(with file: FleetConfiguration, known: Set<BoardID>) -> FileRemoval {
    let removal = FileRemoval(
      of: known.subtracting(admitted.keys).union(file.boards.map(\.board)),
      wanted: Set(wanted(by: file).keys), listsNone: file.boards.isEmpty)
    if removal.needsConfirmation { unconfirmed = Set(removal.boards) }
    return removal
  }

  /// Boards that were waiting for it go. Returns them, in order.
  mutating func letGo() -> [BoardID] {
    defer { unconfirmed = [] }
    return unconfirmed.sorted()
  }

  /// An admission on top of an earlier one of the same board.
  func merged(_ admission: Admission) -> Admission {
    StoredAdmission.merge(admission, over: admitted[admission.board]?.admission)
  }

  /// Admits a board at run time. Who admitted it first counts; but what joined by itself and is named by a command then
  /// stays because of that.
  mutating func admit(_ admission: Admission, origin: DesiredBoard.Origin, at now: Timestamp) {
    let known = admitted[admission.board]
    admitted[admission.board] = Admitted(
      admission: admission, origin: origin == .command ? origin : known?.origin ?? origin,
      since: known?.since ?? now)
  }

  func isAdmitted(_ board: BoardID) -> Bool { admitted[board] != nil }

  /// Whether a board stands in the file, which verbs do not change.
  func isListed(_ board: BoardID) -> Bool { desired[board]?.origin == .file }

  /// Another board that has the name already.
  func owner(of name: String, besides board: BoardID) -> BoardID? {
    desired.values.filter { $0.name == name && $0.board != board }.map(\.board).min()
  }

  /// Boards that verbs or joining admitted and the file does not list, in their order.
  var admittedAtRunTime: [BoardID] { admitted.keys.filter { !isListed($0) }.sorted() }

  /// Boards that joined so long ago that they are removed if they were never connected. `running` is for how long the
  /// gateway has run: all have at least an hour of that, and what joined before the clock was set has all of it.
  func expired(after expiry: Duration, at now: Timestamp, running: Duration) -> [BoardID] {
    guard now.isPlausible, running >= min(expiry, .seconds(3_600)) else { return [] }
    return admittedAtRunTime.filter { board in
      guard let joined = admitted[board], joined.origin.isJoining else { return false }
      return (joined.since.isPlausible ? now - joined.since : running) >= expiry
    }
  }

  mutating func dismiss(_ board: BoardID) { admitted[board] = nil }

  mutating func choose(_ choice: ProfileChoice?, for board: BoardID) { choices[board] = choice }

  /// The boards of a group, with the groups of each; all boards are in one without being listed.
  func members(of group: String) -> [BoardID: [String]] {
    desired.filter { group == GroupRules.all || $0.value.groups.contains(group) }.mapValues(\.groups)
  }
}
