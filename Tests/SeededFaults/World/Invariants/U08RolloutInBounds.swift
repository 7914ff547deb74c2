import FleetModel
import Simulator

/// A rollout counts each board of its plan once, goes through its phases in their order, begins nothing while it is
/// paused or when it is over, gives no board the firmware twice, and is done only with boards that show it (U8).
struct U08RolloutInBounds: Invariant {
  /// What was said of it, and when, in ms.
  private struct Said: Sendable {
    var time: Int64
    var phase: RolloutPhase
    var isPaused: Bool
    var document: JSONObject
  }

  private var said: [Said] = []
  /// Boards of its plan, with those that cannot have the firmware, as its reply says.
  private var planned: Int64?
  /// When boards were begun.
  private var begun: [(board: BoardID, time: Int64)] = []
  /// When somebody had it go on.
  private var resumed: [Int64] = []
  private var done: Set<BoardID> = []
  /// Boards that somebody wanted something else of.
  private var others: Set<BoardID> = []
  private var shown: [BoardID: (version: String, isBootloader: Bool)] = [:]

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    switch observation {
    case .commanded(let command):
      if command.verb == "rollout-resume" { resumed.append(moment.time.milliseconds) }
      if command.verb == "firmware-update", let board = command.board { others.insert(board) }
    case .requested(let board, let bytes) where bytes.first == BootloaderRequest.start.rawValue:
      if done.contains(board), !others.contains(board) {
        return "\(board) has the firmware and is sent it again"
      }
    case .published(let publication) where publication.lane == "rollout": return note(publication)
    case .published(let publication) where publication.lane == "reply": noteReply(publication)
    case .shows(let board, let version, let isBootloader): shown[board] = (version, isBootloader)
    default: break
    }
    return nil
  }

  private mutating func note(_ publication: Publication) -> String? {
    guard let document = publication.document, let time = document["ts_ms"]?.integer,
      let phase = RolloutPhase(document["phase"])
    else { return publication.message.payload.isEmpty ? nil : "no rollout: \(publication.text)" }
    let parts = RolloutCount.allCases.filter { $0 != .total }.map { document[$0.rawValue]?.integer ?? -1 }
    let next = Said(time: time, phase: phase, isPaused: document["paused"] == true, document: document)
    let before = said.last
    said.append(next)
    if parts.contains(-1) || parts.reduce(0, +) != document["total"]?.integer {
      return "the counts do not add up: \(publication.text)"
    }
    if let running = document["running"]?.integer, running > 1 {
      return "\(running) boards at once over one adapter: \(publication.text)"
    }
    if let before, before.time <= time, !Self.follows(phase, before.phase) {
      return "it goes back from \(before.phase.rawValue): \(publication.text)"
    }
    return phase == .aborted && document["reason"] == nil ? "nobody says why: \(publication.text)" : nil
  }

  private mutating func noteReply(_ publication: Publication) {
    guard let document = publication.document, let id = document["id"]?.string,
      let stage = document["stage"]?.string
    else { return }
    if publication.name == "firmware-rollout", stage == "done", let data = document["data"]?.object {
      planned = (data["boards"]?.integer ?? 0) + (data["refused_count"]?.integer ?? 0)
    }
    guard publication.name == "firmware-update", id.hasPrefix("\(RolloutScript.id)."),
      let board = publication.board, let time = document["ts_ms"]?.integer
    else { return }
    if stage == "accepted", document["duplicate"] == nil { begun.append((board, time)) }
    if stage == "done" { done.insert(board) }
  }

  private static func follows(_ phase: RolloutPhase, _ before: RolloutPhase) -> Bool {
    let order: [RolloutPhase] = [.planned, .canary, .soaking, .rolling]
    if before.isEnd { return phase == before }
    guard let place = order.firstIndex(of: phase) else { return true }
    return place >= order.firstIndex(of: before) ?? 0
  }

  func review(at moment: Moment) -> String? {
    guard let last = said.max(by: { $0.time < $1.time }) else { return nil }
    if let planned, said.contains(where: { $0.document["total"]?.integer != planned }) {
      return "the plan had \(planned) boards, and the document does not count them: \(said.map(\.document))"
    }
    return beginnings ?? ending(last)
  }

  /// Boards that were begun when none was to be.
  private var beginnings: String? {
    for (board, time) in begun {
      if let end = said.first(where: { $0.phase.isEnd && $0.time < time }) {
        return "\(board) is begun at \(time), and it was \(end.phase.rawValue) at \(end.time)"
      }
      // Somebody may have had it go on before a document said so.
      let pause = said.last { $0.time < time }.map { $0.isPaused ? $0.time : .max } ?? .max
      if pause < time, !resumed.contains(where: { (pause...time).contains($0) }) {
        return "\(board) is begun at \(time), and it was paused at \(pause)"
      }
    }
    return nil
  }

  /// What boards show of what is said of them.
  private func ending(_ last: Said) -> String? {
    let rows = (last.document["not_done"]?.array ?? []).compactMap(\.object)
    let states = Dictionary(
      rows.map { ($0["board"]?.string ?? "", $0["state"]?.string ?? "") }, uniquingKeysWith: { $1 })
    guard let counted = last.document["done"]?.integer, let total = last.document["total"]?.integer,
      total == counted + Int64(states.count), Int(total) == shown.count
    else { return "not every board is done or listed: \(last.document)" }
    for (board, (version, isBootloader)) in shown.sorted(by: { $0.key < $1.key })
    where !others.contains(board) {
      let state = states[board.description]
      if state == nil, isBootloader || version != SeededFirmware.version {
        return "\(board) counts as done, and shows \(version)\(isBootloader ? " in its bootloader" : "")"
      }
      if isBootloader, state != "stranded", state != "failed" {
        return "\(board) is in its bootloader, and counts as \(state ?? "done")"
      }
    }
    return nil
  }
}
