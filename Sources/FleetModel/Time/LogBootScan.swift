/// One entry of a log, as far as its time is concerned.
public struct TickEntry: Hashable, Sendable {
  /// What it says of its time.
  public var clock: BoardTick
  /// Which logger wrote it; nil where that cannot be told. One logger's entries come in order.
  public var logger: Int?
  /// The clock of the board as it was read before the entry came: no entry is later. Nil where it was not read.
  public var reading: BoardTick?

  /// Describes an entry.
  public init(_ clock: BoardTick, logger: Int? = nil, reading: BoardTick? = nil) {
    (self.clock, self.logger, self.reading) = (clock, logger, reading)
  }

  /// Whether it says that it was written after the reading.
  var isLate: Bool {
    guard let reading, reading.resetID == clock.resetID else { return false }
    return Int32(bitPattern: reading.tick &- clock.tick) < 0
  }

  /// Whether `other`, which came behind it, may have been written behind it in the same run.
  func mayPrecede(_ other: TickEntry) -> Bool {
    guard other.clock.resetID == clock.resetID, !other.isLate else { return false }
    return Int32(bitPattern: other.clock.tick &- clock.tick) >= -slack(to: other)
  }

  /// Ticks by which an entry behind it may lie before it.
  func slack(to other: TickEntry) -> Int32 {
    logger != nil && logger == other.logger ? 0 : LogBoot.disorder
  }
}

/// Finds the runs in a log, entry after entry, and the entries whose time is wrong (faults F151, F152).
///
/// One entry alone moves nothing: where it leads away from what was before it, those behind it are asked. More of them
/// must agree with it than with what was before; a new run needs one at least, or at the log's end the look at the
/// clock. What its neighbours on both sides contradict is doubtful, and nothing is concluded from it.
public struct LogBootScan: Hashable, Sendable {
  /// What a scan goes on from.
  public struct State: Hashable, Sendable {
    /// The runs so far.
    public var runs: [LogBoot] = []
    /// Entries that were judged.
    public var position = 0
    /// Those of them whose time is doubtful, by number, in order.
    public var doubtful: [Int] = []
    /// The latest tick of each logger in the last run, counted on beyond 2³².
    public var loggers: [Int: Int64] = [:]

    /// Before the first entry.
    public init() {}
  }

  /// What was judged.
  public private(set) var state: State
  private let resetIDs: Int
  private let firstResetID: Int
  private let firstTick: UInt32?
  /// What was not judged yet, from `head` on.
  private var pending: [TickEntry] = []
  private var head = 0
  /// Numbers of pending entries that are doubtful for certain.
  private var doubted: Set<Int> = []

  /// Entries behind one that are asked.
  static let witnesses = 16

  /// Begins at a session's first entry; `resetID` and `tick` are the board's when the session began. With `state` it
  /// goes on behind what was judged before.
  public init(from resetID: Int, tick: UInt32? = nil, resetIDs: Int, state: State = State()) {
    (firstResetID, firstTick, self.resetIDs, self.state) = (resetID, tick, max(1, resetIDs), state)
  }

  /// The runs so far.
  public var runs: [LogBoot] { state.runs }

  /// Takes the next entry.
  public mutating func take(_ entry: TickEntry) {
    pending.append(entry)
    if pending.count - head > Self.witnesses { judge(isOver: false) }
  }

  /// Judges what is left. `isOver`: what was taken last is the log's last entry.
  public mutating func judgePending(isOver: Bool) {
    while head < pending.count { judge(isOver: isOver) }
    pending.removeAll(keepingCapacity: true)
    head = 0
  }

  /// What was judged of entries before a place is not needed any more.
  public mutating func forget(before position: Int) { state.doubtful.removeAll { $0 < position } }

  /// What becomes of an entry.
  private enum Verdict {
    /// It lies there in the last run.
    case goesOn(Int64)
    /// It begins a run.
    case begins
    case isDoubtful
  }

  private mutating func judge(isOver: Bool) {
    let entry = pending[head]
    switch verdict(on: entry, isOver: isOver) {
    case .goesOn(let tick) where !state.runs.isEmpty:
      state.runs[state.runs.count - 1].goOn(to: tick)
      note(tick, of: entry)
    case .goesOn, .begins:
      begin(entry)
      note(Int64(entry.clock.tick), of: entry)
    case .isDoubtful: state.doubtful.append(state.position)
    }
    state.position += 1
    head += 1
    guard head == 4_096 else { return }
    pending.removeFirst(head)
    head = 0
  }

  private mutating func note(_ tick: Int64, of entry: TickEntry) {
    guard let logger = entry.logger else { return }
    state.loggers[logger] = tick
  }

  private mutating func begin(_ entry: TickEntry) {
    let before = state.runs.last?.resetID ?? firstResetID
    var resets = (entry.clock.resetID - before + resetIDs) % resetIDs
    // The clock went back under the same number: a whole round of resets, or it jumped.
    if resets == 0, !state.runs.isEmpty { resets = resetIDs }
    state.runs.append(
      LogBoot(resetID: entry.clock.resetID, resets: resets, first: entry.clock.tick, start: state.position))
    state.loggers = [:]
  }

  /// Where an entry lies in the last run, or where the session began; nil where it cannot lie there.
  private func place(of entry: TickEntry) -> Int64? {
    guard entry.clock.resetID == lastResetID, let last = lastTick, !entry.isLate,
      let step = LogBoot.step(from: last, to: entry.clock.tick), step >= 0 || !state.runs.isEmpty
    else { return nil }
    if let logger = entry.logger, let own = state.loggers[logger], last + step < own { return nil }
    return last + step
  }

  private var lastResetID: Int { state.runs.last?.resetID ?? firstResetID }
  private var lastTick: Int64? { state.runs.last?.last ?? firstTick.map(Int64.init) }

  private mutating func verdict(on entry: TickEntry, isOver: Bool) -> Verdict {
    if entry.isLate || doubted.remove(state.position) != nil { return .isDoubtful }
    guard let place = place(of: entry) else { return isNewRun(entry) ? .begins : .isDoubtful }
    let step = place - (lastTick ?? place)
    let usual = state.runs.suffix(2).map(\.leap).max() ?? 0
    let first = head + 1
    if step <= usual, first < pending.count, let next = self.place(of: pending[first]), next >= place {
      return .goesOn(place)
    }
    var (agreeing, contradicting, chain) = (0, [Int](), entry)
    for index in first..<min(pending.count, first + Self.witnesses) {
      // Entries of a log that grows slowly may lie a whole wrap of the ticks apart.
      let isChained =
        pending[index].clock.tick &- chain.clock.tick <= 1 << 30
        && pending[index].clock.resetID == chain.clock.resetID
      if isChained { chain = pending[index] }
      guard let other = self.place(of: pending[index]) else { continue }
      if !isChained, other < place - Int64(entry.slack(to: pending[index])) {
        contradicting.append(index)
      } else {
        agreeing += 1
      }
    }
    if let other = contradicting.first {
      guard contradicting.count == 1, let isOurs = isFault(of: entry, at: place, not: other) else {
        return .isDoubtful
      }
      if !isOurs { doubted.insert(state.position + other - head) }
      return isOurs ? .isDoubtful : .goesOn(place)
    }
    // In the midst of a log an entry without witnesses may lead far ahead of those that come later.
    let isKnown = isOver || pending.count - first >= Self.witnesses / 2
    let isUsual = state.runs.isEmpty || step <= 2 * usual
    return agreeing > 0 || isKnown || isUsual ? .goesOn(place) : .isDoubtful
  }

  /// Of two entries of one logger of which the later says that it is earlier: whether the first one is farther from
  /// where its neighbours would have it. Nil where that cannot be told.
  private func isFault(of entry: TickEntry, at place: Int64, not other: Int) -> Bool? {
    guard let logger = entry.logger, pending[other].logger == logger, let before = state.loggers[logger],
      let otherPlace = self.place(of: pending[other]),
      let next = pending[(other + 1)...].first(where: { $0.logger == logger }),
      let behind = self.place(of: next)
    else { return nil }
    let ours = abs(2 * place - before - otherPlace)
    let theirs = abs(2 * otherPlace - place - behind)
    return ours == theirs ? nil : ours > theirs
  }

  /// Whether an entry that cannot lie in the last run begins another one.
  private func isNewRun(_ entry: TickEntry) -> Bool {
    var (agreeing, contradicting) = (0, 0)
    let first = head + 1
    let end = min(pending.count, first + Self.witnesses)
    for index in first..<end {
      let other = pending[index]
      if place(of: other) != nil {
        contradicting += 1
      } else if entry.mayPrecede(other) {
        agreeing += 1
      }
    }
    // At the end the look at the clock is one more: it tells which run the board was in.
    if end - first < Self.witnesses, let reading = entry.reading {
      if reading.resetID == entry.clock.resetID {
        if state.runs.isEmpty || reading.resetID != lastResetID { agreeing += 1 }
      } else if reading.resetID == lastResetID, !state.runs.isEmpty {
        contradicting += 1
      }
    }
    return agreeing > contradicting
  }
}
