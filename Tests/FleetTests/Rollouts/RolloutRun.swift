import FleetModel
import Testing

@testable import Fleet

/// Plays a rollout with boards that do as a test says, and holds it against what must be so at every moment.
struct RolloutRun {
  var rollout: Rollout
  var now = RolloutRun.start
  var adapters: [BoardID: AdapterID] = [:]
  var isOpen = true
  /// What was counted of each board.
  var counted: [BoardID: BoardHealth] = [:]
  /// How the update of a board ends, by how often it was begun, and after how long.
  var outcome: (_ board: Int, _ attempt: Int) -> (result: Rollout.Result, Duration) = { _, _ in
    (.done, .seconds(120))
  }
  /// How a board is behind it.
  var health: (_ board: Int) -> BoardHealth = { _ in RolloutRun.well }
  /// Whether the gateway ends behind every step, and begins again with what is on disk.
  var restarts = false

  /// Who was begun, when, in which phase.
  private(set) var starts: [Start] = []
  private(set) var phases: [Rollout.Phase] = [.planned]
  private(set) var isFinished = false
  private var ends: [BoardID: (time: Timestamp, result: Rollout.Result)] = [:]

  struct Start: Hashable {
    let board: Int
    let time: Timestamp
    let phase: Rollout.Phase
  }

  static let start = Timestamp(milliseconds: 1_763_671_234_000)
  static let well = BoardHealth(streams: ["acceleration"], logged: ["temperature-die"], linkFailures: 2)

  static func board(_ number: Int) -> BoardID { BoardID(BluetoothAddress(rawValue: UInt64(number))) }
  static func adapter(_ number: Int) -> AdapterID {
    AdapterID(BluetoothAddress(rawValue: 0xA0_0000 + UInt64(number)))
  }

  static func plan(
    _ count: Int = 40, refused: [BoardID: String] = [:], _ change: (inout RolloutOptions) -> Void = { _ in }
  ) -> RolloutPlan {
    var options = RolloutOptions()
    options.canaries = 2
    change(&options)
    return RolloutPlan(
      id: "fw-1", group: "pumps", version: "1.7.3", options: options,
      members: (1...count).map {
        RolloutPlan.Member(board: board($0), kind: "0.5 5", battery: 100 - $0, signal: -60, health: well)
      }, refusals: refused)
  }

  /// Boards are spread over `adapters`.
  init(_ plan: RolloutPlan, adapters count: Int = 2) {
    rollout = Rollout(plan)
    for (place, member) in plan.members.enumerated() {
      adapters[member.board] = Self.adapter(place % count)
    }
  }

  var counts: RolloutCounts { RolloutCounts(rollout) }
  var conditions: Rollout.Conditions { .init(now: now, adapters: adapters, isOpen: isOpen, counted: counted) }

  /// Has something happen now.
  mutating func send(_ event: Rollout.Event) {
    let effects = rollout.next(event, conditions)
    if restarts { restart() }
    // Kept and published before anything is done.
    #expect(
      effects.isEmpty || Array(effects.prefix(2)) == [.keep, .publish] || effects.allSatisfy { $0.isQuestion }
    )
    var looked: [BoardID] = []
    for effect in effects {
      switch effect {
      case .start(let board):
        let number = Int(board.address.rawValue)
        starts.append(Start(board: number, time: now, phase: rollout.phase))
        let (result, time) = outcome(number, rollout.members[board]?.attempts ?? 0)
        ends[board] = (now + time, result)
      case .examine(let board): looked.append(board)
      case .finish: isFinished = true
      case .keep, .publish: break
      }
    }
    if phases.last != rollout.phase { phases.append(rollout.phase) }
    check()
    for board in looked { send(.examined(board, health(Int(board.address.rawValue)))) }
  }

  /// Goes on until nothing happens any more, or until then.
  mutating func run(until limit: Timestamp = start + .seconds(30 * 86_400)) {
    while true {
      let end = ends.min { ($0.value.time, $0.key) < ($1.value.time, $1.key) }
      guard let moment = [end?.value.time, rollout.due(after: now)].compactMap({ $0 }).min(), moment <= limit
      else { return }
      now = max(now, moment)
      if let end, end.value.time <= now {
        ends[end.key] = nil
        send(.ended(end.key, end.value.result))
      } else {
        send(.tick)
      }
    }
  }

  /// What is on disk is all that there is to know.
  private mutating func restart() {
    func again(_ document: JSONObject) -> JSONObject {
      (try? StrictJSON.parse(JSONWriter.render(document), limits: .trusting))?.object ?? [:]
    }
    guard let plan = RolloutPlan(document: again(rollout.plan.document)),
      let restored = Rollout(plan, document: again(rollout.document))
    else {
      Issue.record("it cannot be read again")
      return
    }
    #expect(restored == rollout)
    rollout = restored
  }

  /// U8: counts add up, and no more run than the phase allows.
  private func check() {
    let (counts, options) = (counts, rollout.plan.options)
    let parts = [
      counts.done, counts.failed, counts.stranded, counts.pending, counts.running, counts.skipped,
      counts.refused,
    ]
    #expect(parts.reduce(0, +) == counts.total)
    let busy = rollout.members.values.compactMap(\.adapter)
    #expect(busy.count <= options.parallel && Set(busy).count == busy.count)
    for start in starts {
      switch start.phase {
      case .canary: #expect(rollout.plan.canaries.contains(Self.board(start.board)))
      case .rolling: break
      case .planned, .soaking, .done, .aborted, .expired: Issue.record("begun in \(start.phase)")
      }
    }
    let rolled = starts.filter { $0.phase == .rolling }.map(\.time)
    let lastHour = rolled.count { $0 > now - .seconds(3_600) }
    #expect(lastHour <= options.mostPerHour)
    if rolled.count <= options.perHour { #expect(lastHour <= options.perHour) }
  }
}

extension Rollout.Effect {
  /// Whether it changes nothing, so that nothing has to be kept before.
  fileprivate var isQuestion: Bool { if case .examine = self { true } else { false } }
}
