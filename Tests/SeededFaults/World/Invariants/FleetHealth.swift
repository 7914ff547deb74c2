import FleetModel
import Synchronization

/// What a consumer knows of the fleet's health, and invariant I19: after any crash and any fault the fleet comes to
/// the state it would have been in without it, with no hand laid on it.
final class FleetHealth: Sendable {
  /// What a command did to the streams of its board, as its reply says.
  private struct Change {
    let time: Int64
    let started: String?
    let stopped: [String]
  }

  private struct State {
    var gateway = ""
    /// What the last document of the rollout says, where there is one.
    var rollout: JSONObject?
    var availability: [BoardID: String] = [:]
    var link: [BoardID: String] = [:]
    var streams: [BoardID: [String: Duration]] = [:]
    /// What commands did to streams, in the order in which they were done.
    var changes: [BoardID: [Change]] = [:]
    /// Streams whose last command nobody can tell the end of.
    var doubtful: [BoardID: Set<String>] = [:]
  }

  private let boards: [BoardID]
  private let state: Mutex<State>
  /// How long a stream may be quiet: what comes every ten seconds, and a bit.
  private static let timeout = Duration.seconds(15)

  init(boards: Int) {
    self.boards = Self.names(boards)
    state = Mutex(State())
  }

  static func names(_ boards: Int) -> [BoardID] { (1...boards).compactMap { BoardID("c0ffee00000\($0)") } }

  func note(_ publication: Publication, at uptime: Duration) {
    guard let board = publication.board else {
      if publication.lane == "rollout" { state.withLock { $0.rollout = publication.document } }
      if publication.isGatewayAvailability {
        state.withLock { $0.gateway = publication.document?["state"]?.string ?? "" }
      }
      return
    }
    switch publication.lane {
    case "availability":
      let reason = publication.document?["reason"]?.string
      state.withLock { $0.availability[board] = reason }
    case "state":
      let link = publication.document?["link"]?.string
      state.withLock { $0.link[board] = link }
    case "record": state.withLock { $0.streams[board, default: [:]][publication.name] = uptime }
    case "reply": if publication.name.hasPrefix("stream-") { noteReply(publication, of: board) }
    default: break
    }
  }

  private func noteReply(_ publication: Publication, of board: BoardID) {
    guard let document = publication.document, document["duplicate"] == nil,
      let stage = document["stage"]?.string
    else { return }
    let data = document["data"]?.object
    let change = Change(
      time: document["ts_ms"]?.integer ?? 0, started: data?["stream"]?.string,
      stopped: (data?["stopped"]?.array ?? []).compactMap(\.string))
    state.withLock { state in
      switch stage {
      case "done":
        // A reply that the broker refused at first comes behind those of later commands.
        let place = state.changes[board]?.firstIndex { $0.time > change.time }
        state.changes[board, default: []].insert(change, at: place ?? state.changes[board]?.count ?? 0)
      // The command may have changed its stream, or not.
      case "unknown": state.doubtful[board, default: []].formUnion(["acceleration", "temperature-die"])
      default: break
      }
    }
  }

  /// The streams of the profile, and what commands made of them.
  private static func wanted(_ changes: [Change]) -> Set<String> {
    changes.reduce(into: ["acceleration", "temperature-die"]) { wanted, change in
      if let started = change.started { wanted.insert(started) }
      wanted.subtract(change.stopped)
    }
  }

  /// Whether a rollout goes on by itself.
  private static func isOpen(_ rollout: JSONObject) -> Bool {
    let isAtRest = rollout["paused"] == true || RolloutPhase(rollout["phase"])?.isEnd == true
    return !isAtRest || rollout["running"] != 0
  }

  /// What is not as it should be.
  func complaints(at uptime: Duration) -> [String] {
    state.withLock { state in
      var complaints: [String] = []
      if state.gateway != "online" { complaints.append("the gateway is \(state.gateway)") }
      if let rollout = state.rollout, Self.isOpen(rollout) { complaints.append("the rollout goes on") }
      for board in boards {
        let (availability, link) = (state.availability[board] ?? "nil", state.link[board] ?? "nil")
        if availability != "connected" || link != "streaming" {
          complaints.append("\(board) is \(availability), \(link)")
        }
        let flowing = Set(
          (state.streams[board] ?? [:]).filter { uptime - $0.value < Self.timeout }.keys
        ).subtracting(["battery"])
        let wanted = Self.wanted(state.changes[board] ?? [])
        let doubtful = state.doubtful[board] ?? []
        if flowing.subtracting(doubtful) != wanted.subtracting(doubtful) {
          complaints.append("\(board) streams \(flowing.sorted()), wanted are \(wanted.sorted())")
        }
      }
      return complaints
    }
  }
}

extension RolloutPhase {
  init?(_ value: JSONValue?) {
    guard let text = value?.string else { return nil }
    self.init(rawValue: text)
  }
}
