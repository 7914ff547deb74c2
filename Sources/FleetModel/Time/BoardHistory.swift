/// All runs of a board in which somebody looked at its clock, oldest first, and how fast its crystal may run.
public struct BoardHistory: Hashable, Sendable {
  /// The runs.
  public let runs: [BoardBoot]
  /// Bounds of the crystal's rate at any moment.
  public let rate: CrystalRate
  /// The crystal's mean deviation in ppm, where it was measured to 25 ppm; positive: the board's clock is fast.
  public let drift: Double?
  /// How the board counts.
  public let timing: BoardTiming

  /// Whether the time of any reading of the latest run is worth something.
  public var isTimeKnown: Bool { runs.last.map { !$0.anchors.isEmpty } ?? false }

  /// Takes all readings in the order in which they were taken.
  public init(_ anchors: [ClockAnchor], timing: BoardTiming) {
    self.timing = timing
    var runs: [BoardBoot] = []
    var (start, jump) = (anchors.startIndex, Int64?.none)
    for index in anchors.indices {
      let next = anchors.index(after: index)
      let isLast = next == anchors.endIndex
      let jumped = isLast ? nil : ClockJump.ticks(from: anchors[index], to: anchors[next], timing)
      if isLast || jumped != nil || !anchors[index].isSameRun(as: anchors[next]) {
        runs.append(BoardBoot(anchors[start..<next], timing: timing, jump: jump))
        (start, jump) = (next, jumped)
      }
    }
    // Its longest run says most about a crystal.
    let mean = runs.compactMap { $0.meanRate(timing) }.max { $0.span < $1.span }?.rate
    let rate = mean.map(CrystalRate.init(measured:)) ?? .unmeasured
    for index in runs.indices { runs[index].tighten(rate, timing) }
    (self.runs, self.rate) = (runs, rate)
    drift = mean.flatMap { mean in
      let half = (mean.upperBound - mean.lowerBound) / 2
      return half <= 25e-6 ? -(mean.lowerBound + half) * 1e6 : nil
    }
  }
}

extension BoardHistory {
  /// What is known since the clock was set going last.
  public var latest: BoardHistory {
    BoardHistory(
      runs: runs.suffix(1).map { $0.forgettingJump() }, rate: rate, drift: drift, timing: timing)
  }

  private init(runs: [BoardBoot], rate: CrystalRate, drift: Double?, timing: BoardTiming) {
    (self.runs, self.rate, self.drift, self.timing) = (runs, rate, drift, timing)
  }

  /// The looks before and behind each jump of the clock in the run of the board that begins with the look at `index`.
  func stretches(from index: Int) -> Range<Int> {
    let end = runs[(index + 1)...].firstIndex { $0.jump == nil } ?? runs.endIndex
    return index..<end
  }

  /// When a sample was taken in a run of the board in which its clock jumped: by the looks on the side of the jump on
  /// which it lies, and by both where that cannot be told. `run` is the log's; `isBehind`: the log shows a jump back
  /// before it, and `isBefore`: behind it. Nothing of it is earlier than its session's `begin`.
  func bounds(
    of tick: Int64, in run: LogBoot, _ stretches: Range<Int>, isBehind: Bool, isBefore: Bool,
    since begin: Timestamp?
  ) -> TimeBounds? {
    var found: [(index: Int, bounds: TimeBounds)] = []
    for index in stretches {
      guard let bounds = runs[index].bounds(of: runs[index].nearest(to: tick), rate, timing), !bounds.isEmpty
      else { continue }
      // Neither later than the first look behind the jump nor earlier than the last one before it.
      if index + 1 < stretches.upperBound, let next = runs[index + 1].firstReading, bounds.earliest > next {
        continue
      }
      if index > stretches.lowerBound, let last = runs[index - 1].lastReading, bounds.latest < last {
        continue
      }
      if let begin, bounds.latest + .seconds(1) < begin { continue }
      found.append((index, bounds))
    }
    guard found.count > 1, let first = found.first, let last = found.last else { return found.first?.bounds }
    if isBehind != isBefore { return isBehind ? last.bounds : first.bounds }
    // A jump ahead shows in the log unless it is often as long without an entry.
    if found.count == 2, let jump = runs[last.index].jump, jump > 0, run.leap >= jump - jump / 20,
      run.secondLeap < jump - jump / 20
    {
      return tick >= run.leapEnd ? last.bounds : first.bounds
    }
    return TimeBounds(
      found.map(\.bounds.earliest).min() ?? first.bounds.earliest,
      found.map(\.bounds.latest).max() ?? last.bounds.latest)
  }
}

extension ClockAnchor {
  fileprivate func isSameRun(as other: ClockAnchor) -> Bool {
    boot == other.boot && reading.clock.resetID == other.reading.clock.resetID
  }
}
