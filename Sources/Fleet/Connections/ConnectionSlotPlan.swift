import FleetModel

/// Who connects next, and over which adapter. Pure.
///
/// One connection is made at a time per adapter, until its radio link is up; an adapter has so many places for links;
/// only boards that were heard lately are worth the air; boards that keep failing get at most one turn in four, so that
/// twenty absent boards cannot hold an adapter for minutes.
struct ConnectionSlotPlan: Sendable {
  struct Adapter: Sendable {
    var isUsable = false
    var connecting: BoardID?
    var links: Set<BoardID> = []
    /// What those links, and the attempt under way, are for.
    var uses: [BoardID: Use] = [:]
    /// Whose link has to give way and has not yet.
    var yielding: BoardID?

    /// Places by configuration, or the optimistic start of learning.
    var limit: Int
    /// Places found by refusals; nil while none was met, or the last one was disproved.
    var learned: LearnedLimit?

    var places: Int { min(limit, learned?.links ?? limit) }

    /// Whether a board gets firmware over it: a connection that is made meanwhile costs it packets (fault F274).
    var isUpdating: Bool { uses.values.contains { $0.purpose == .update } }

    /// Whether one more link may be tried.
    func isFree(at now: Duration) -> Bool {
      isUsable && connecting == nil && links.count < limit && !isUpdating
        && learned?.allows(moreThan: links.count, at: now) ?? true
    }

    /// When it is free again without anything happening: as soon as the limit it was taught is doubtful.
    func freeAgain(after now: Duration) -> Duration? {
      guard let learned, isUsable, connecting == nil, !isUpdating, links.count < limit,
        now < learned.doubtful
      else {
        return nil
      }
      return learned.doubtful
    }
  }

  /// What a link is for, and since when.
  struct Use: Hashable, Sendable {
    var purpose: Purpose
    var since: Duration
  }

  /// What a link is for, the most urgent first.
  enum Purpose: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// Somebody waits for an answer.
    case command
    /// A log waits to be downloaded, and a flash may run full.
    case download
    /// A board in its bootloader waits for firmware.
    case update
    /// Samples are lost until the link is up.
    case stream
    /// Something is read now and then.
    case poll

    static func < (left: Purpose, right: Purpose) -> Bool { left.rawValue < right.rawValue }

    /// As documents have it.
    var word: String { "\(self)" }
  }

  struct Request: Hashable, Sendable {
    var board: BoardID
    /// The only adapter it may use.
    var pin: AdapterID?
    /// Failed attempts since its last link.
    var failures: Int
    var purpose: Purpose
    /// When it began to wait.
    var since: Duration
  }

  struct Grant: Hashable, Sendable {
    var board: BoardID
    var adapter: AdapterID
  }

  /// From so many failures on, a board counts as failing.
  static let failing = 3
  /// Whoever has waited for so long goes before all but commands, whatever for: no board waits for a quarter of an hour
  /// (fault F22).
  static let longestWait = Duration.seconds(600)
  /// Places an adapter is given before it refused any.
  static let optimisticLimit = 32

  var adapters: [AdapterID: Adapter] = [:]
  private(set) var waiting: [Request] = []
  /// When, by uptime, somebody who waits may be served although nothing happens until then; nil = never.
  private(set) var due: Duration?
  private var heard: [BoardID: HeardBoard] = [:]
  private var grantsSinceFailing = 3

  mutating func advertised(_ board: BoardID, by adapter: AdapterID, rssi: Int?, at now: Duration) {
    heard[board, default: HeardBoard(since: now)].advertised(by: adapter, strength: rssi, at: now)
  }

  mutating func request(_ request: Request) {
    withdraw(request.board)
    waiting.append(request)
  }

  mutating func withdraw(_ board: BoardID) { waiting.removeAll { $0.board == board } }

  mutating func forget(_ board: BoardID) {
    withdraw(board)
    heard[board] = nil
  }

  /// Takes the next grant, if there is one, and books it.
  mutating func grant(at now: Duration) -> Grant? {
    let candidates = candidates(at: now)
    let healthy = candidates.filter { $0.0.failures < Self.failing }
    let failing = candidates.filter { $0.0.failures >= Self.failing }
    let mayFail = healthy.isEmpty || grantsSinceFailing >= 3
    guard
      let (request, adapter) = mayFail
        ? first(failing, at: now) ?? first(healthy, at: now) : first(healthy, at: now)
    else {
      return nil
    }
    grantsSinceFailing = request.failures >= Self.failing ? 0 : grantsSinceFailing + 1
    withdraw(request.board)
    adapters[adapter]?.connecting = request.board
    adapters[adapter]?.uses[request.board] = Use(purpose: request.purpose, since: now)
    return Grant(board: request.board, adapter: adapter)
  }

  /// The next link that has to give way to somebody who waits, if any; it is named once.
  mutating func preempt(at now: Duration) -> Grant? {
    for request in waiting.sorted(by: { precedes($0, $1, at: now) }) {
      for adapter in reachable(by: request, at: now) {
        guard let slots = adapters[adapter] else { continue }
        if let board = PreemptionRule.yields(to: request, on: slots, at: now) {
          adapters[adapter]?.yielding = board
          return Grant(board: board, adapter: adapter)
        }
        let until = request.since + PreemptionRule.leastWait(for: request.purpose)
        if until > now { due = min(due ?? until, until) }
      }
    }
    return nil
  }

  /// A link cannot give way now; it is left alone for a while.
  mutating func keep(_ grant: Grant, at now: Duration) {
    guard adapters[grant.adapter]?.yielding == grant.board else { return }
    adapters[grant.adapter]?.yielding = nil
    adapters[grant.adapter]?.uses[grant.board]?.since = now
  }

  /// Adapters over which a board that waits could be connected.
  private func reachable(by request: Request, at now: Duration) -> [AdapterID] {
    (heard[request.board]?.adapters(at: now) ?? []).filter { request.pin == nil || request.pin == $0 }
      .sorted()
  }

  /// Whoever could be served now, and over which adapter.
  private mutating func candidates(at now: Duration) -> [(Request, AdapterID)] {
    due = nil
    var candidates: [(Request, AdapterID)] = []
    for request in waiting {
      switch AdapterChoice(for: request, heard: heard[request.board], among: adapters, at: now) {
      case .use(let adapter): candidates.append((request, adapter))
      case .wait(let until?): due = min(due ?? until, until)
      case .wait(nil): break
      }
    }
    return candidates
  }

  /// Who waits for this adapter: whom it received lately, and who may use no other. The longest waiting first.
  func queue(for adapter: AdapterID, at now: Duration) -> [Request] {
    waiting.filter { request in
      request.pin.map { $0 == adapter } ?? (heard[request.board]?.adapters(at: now).contains(adapter) == true)
    }.sorted { ($0.since, $0.board) < ($1.since, $1.board) }
  }

  /// Commands first. Then whoever has waited for too long, then by purpose, then whoever waits longest.
  private func first(_ candidates: [(Request, AdapterID)], at now: Duration) -> (Request, AdapterID)? {
    candidates.min { precedes($0.0, $1.0, at: now) }
  }

  private func precedes(_ left: Request, _ right: Request, at now: Duration) -> Bool {
    func rank(_ request: Request) -> Int {
      if request.purpose == .command { return 0 }
      return now - request.since >= Self.longestWait ? 1 : 1 + request.purpose.rawValue
    }
    return (rank(left), left.since, left.board) < (rank(right), right.since, right.board)
  }

  /// The radio link of an attempt is up. What is left of it, resolving services, does not keep the next board from
  /// being connected, although it takes longer.
  mutating func linkUp(_ grant: Grant) {
    guard adapters[grant.adapter]?.connecting == grant.board else { return }
    adapters[grant.adapter]?.connecting = nil
    adapters[grant.adapter]?.links.insert(grant.board)
    let (links, learned) = (adapters[grant.adapter]?.links.count ?? 0, adapters[grant.adapter]?.learned)
    adapters[grant.adapter]?.learned = learned?.held(by: links)
  }

  /// Whether an adapter can be used. One that returns may carry another number of links: what was learned is forgotten.
  mutating func update(_ adapter: AdapterID, isUsable: Bool, limit: Int) {
    let wasUsable = adapters[adapter]?.isUsable ?? false
    adapters[adapter, default: Adapter(limit: limit)].isUsable = isUsable
    if isUsable, !wasUsable { adapters[adapter]?.learned = nil }
  }

  mutating func attemptFailed(_ grant: Grant, noSlots: Bool, at now: Duration) {
    if adapters[grant.adapter]?.connecting == grant.board { adapters[grant.adapter]?.connecting = nil }
    linkEnded(grant)
    if noSlots, let adapter = adapters[grant.adapter] {
      adapters[grant.adapter]?.learned = LearnedLimit(
        links: adapter.links.count, after: adapter.learned, at: now)
    }
  }

  mutating func linkEnded(_ grant: Grant) {
    adapters[grant.adapter]?.links.remove(grant.board)
    adapters[grant.adapter]?.uses[grant.board] = nil
    if adapters[grant.adapter]?.yielding == grant.board { adapters[grant.adapter]?.yielding = nil }
  }
}
