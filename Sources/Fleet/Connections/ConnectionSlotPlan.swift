import FleetModel

/// Who connects next, and over which adapter. Pure.
///
/// One connection is made at a time per adapter, until its radio link is up; an adapter has so many places for links; only boards that were heard
/// lately are worth the air; boards that keep failing get at most one turn in four, so that twenty absent boards
/// cannot hold an adapter for minutes.
struct ConnectionSlotPlan: Sendable {
  struct Adapter: Sendable {
    var isUsable = false
    var connecting: BoardID?
    var links: Set<BoardID> = []
    /// Places by configuration, or the optimistic start of learning.
    var limit: Int
    /// Places found by refusals, and when.
    var learned: Int?
    var learnedAt = Duration.zero

    var places: Int { min(limit, learned ?? limit) }
    var isFree: Bool { isUsable && connecting == nil && links.count < places }
  }

  /// What a link is for, the most urgent first.
  enum Purpose: Int, Hashable, Sendable, CaseIterable, Comparable {
    /// Somebody waits for an answer.
    case command
    /// A log waits to be downloaded, and a flash may run full.
    case download
    /// Samples are lost until the link is up.
    case stream
    /// Something is read now and then.
    case poll

    static func < (left: Purpose, right: Purpose) -> Bool { left.rawValue < right.rawValue }
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

  private struct Heard: Sendable {
    var rssi: Int
    var at: Duration
  }

  /// How long an advertisement makes a board worth an attempt. Scans repeat it every ten to eleven seconds at worst.
  static let freshness = Duration.seconds(15)
  /// After so long a learned limit is tried by one more: what held the places may be gone.
  static let forgetting = Duration.seconds(600)
  /// From so many failures on, a board counts as failing.
  static let failing = 3
  /// Whoever has waited for so long goes before all but commands, whatever for: no board waits for a quarter of an hour
  /// (fault F22).
  static let longestWait = Duration.seconds(600)
  /// Places an adapter is given before it refused any.
  static let optimisticLimit = 32

  var adapters: [AdapterID: Adapter] = [:]
  private(set) var waiting: [Request] = []
  private var heard: [BoardID: [AdapterID: Heard]] = [:]
  private var grantsSinceFailing = 3

  mutating func advertised(_ board: BoardID, by adapter: AdapterID, rssi: Int?, at now: Duration) {
    heard[board, default: [:]][adapter] = Heard(rssi: rssi ?? -100, at: now)
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
    if !waiting.isEmpty { forgetOldLimits(at: now) }
    let candidates = waiting.compactMap { request in
      adapter(for: request, at: now).map { (request, $0) }
    }
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
    return Grant(board: request.board, adapter: adapter)
  }

  private mutating func forgetOldLimits(at now: Duration) {
    for (id, adapter) in adapters {
      guard let learned = adapter.learned, now - adapter.learnedAt >= Self.forgetting else { continue }
      adapters[id]?.learned = learned + 1 < adapter.limit ? learned + 1 : nil
      adapters[id]?.learnedAt = now
    }
  }

  /// Commands first. Then whoever has waited for too long, then by purpose, then whoever waits longest.
  private func first(_ candidates: [(Request, AdapterID)], at now: Duration) -> (Request, AdapterID)? {
    func rank(_ request: Request) -> Int {
      if request.purpose == .command { return 0 }
      return now - request.since >= Self.longestWait ? 1 : 1 + request.purpose.rawValue
    }
    return candidates.min { left, right in
      let (a, b) = (rank(left.0), rank(right.0))
      if a != b { return a < b }
      if left.0.since != right.0.since { return left.0.since < right.0.since }
      return left.0.board < right.0.board
    }
  }

  /// The pinned adapter; else the free one that hears the board best, or the least loaded of equals.
  private func adapter(for request: Request, at now: Duration) -> AdapterID? {
    let hearing = (heard[request.board] ?? [:]).filter { now - $0.value.at <= Self.freshness }
    let usable = hearing.keys.filter {
      adapters[$0]?.isFree == true && (request.pin == nil || request.pin == $0)
    }
    return usable.min { left, right in
      let (a, b) = (hearing[left]?.rssi ?? -128, hearing[right]?.rssi ?? -128)
      if a != b { return a > b }
      let (m, n) = (adapters[left]?.links.count ?? 0, adapters[right]?.links.count ?? 0)
      return m != n ? m < n : left < right
    }
  }

  /// The radio link of an attempt is up. What is left of it, resolving services, does not keep the next board from
  /// being connected, although it takes longer.
  mutating func linkUp(_ grant: Grant) {
    guard adapters[grant.adapter]?.connecting == grant.board else { return }
    adapters[grant.adapter]?.connecting = nil
    adapters[grant.adapter]?.links.insert(grant.board)
  }

  mutating func attemptFailed(_ grant: Grant, noSlots: Bool, at now: Duration) {
    if adapters[grant.adapter]?.connecting == grant.board { adapters[grant.adapter]?.connecting = nil }
    adapters[grant.adapter]?.links.remove(grant.board)
    if noSlots, let links = adapters[grant.adapter]?.links.count {
      adapters[grant.adapter]?.learned = max(1, links)
      adapters[grant.adapter]?.learnedAt = now
    }
  }

  mutating func linkEnded(_ grant: Grant) { adapters[grant.adapter]?.links.remove(grant.board) }
}
