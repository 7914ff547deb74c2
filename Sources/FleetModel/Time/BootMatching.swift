/// Which run of a board's history each run of a log is. Only certain pairs count: a guessed time is never told as a
/// measured one (invariant I17).
public struct BootMatching: Hashable, Sendable {
  /// What is known of a run in a log.
  public struct Match: Hashable, Sendable {
    /// The run in the history; nil: nobody looked at the clock then, or it cannot be told which one it is.
    public var run: Int?
    /// Resets of the board as this fleet counted them, as well as can be told.
    public var boot: Int
    /// Added to the log's ticks, these are the history's.
    public var shift: Int64 = 0
  }

  /// One per run of the log.
  public let matches: [Match]
  /// Whether the board was reset so often between two looks that its own numbers began anew (fault F44).
  public let isAmbiguous: Bool

  /// Matches the runs of a session that began in `boot` when the board's clock was read and at `tick`; nil for one
  /// that was only found.
  public init(_ runs: [LogBoot], of history: BoardHistory, boot: Int, tick: UInt32?) {
    let timing = history.timing
    let known = history.runs.indices.drop { history.runs[$0].boot < boot }
    // Resets since the session began, at each reading and in each run of the log.
    var readings: [(run: Int, resets: Int)] = []
    // The clock jumped: the same run of the board goes on.
    for index in known where history.runs[index].jump == nil {
      guard let last = readings.last else {
        // A session that began in a boot without a reading has nothing to count from.
        if history.runs[index].boot == boot { readings.append((index, 0)) }
        continue
      }
      let step = history.runs[index].resetID - history.runs[last.run].resetID + timing.resetIDs
      let resets = step % timing.resetIDs
      readings.append((index, last.resets + (resets == 0 ? timing.resetIDs : resets)))
    }
    var counts: [Int] = []
    for run in runs { counts.append((counts.last ?? 0) + (Self.isJump(run, history) ? 0 : run.resets)) }
    let all = readings.last?.resets ?? 0
    isAmbiguous = (counts.last ?? 0) > all
    let lastBoot = readings.last.map { history.runs[$0.run].boot } ?? boot
    var matches: [Match] = []
    for (index, count) in counts.enumerated() {
      var reading = readings.first { $0.resets == count }
      if isAmbiguous, count > 0 {
        // Certain is only the last one: the run in which the log was read out.
        let isCurrent = index == counts.count - 1 && (count - all) % timing.resetIDs == 0
        reading = isCurrent ? readings.last : nil
      }
      var match = Match(boot: min(boot + count, max(boot, lastBoot)))
      if let reading {
        let run = history.runs[reading.run]
        match.boot = run.boot
        match.run = reading.run
        match.shift = Self.shift(runs[index], to: run, isFirst: run.boot == boot, began: tick)
      }
      match.boot = max(match.boot, matches.last?.boot ?? boot)
      matches.append(match)
    }
    self.matches = matches
  }

  /// Whether a log's run that seems to follow a whole round of resets follows a jump of the clock that somebody saw.
  static func isJump(_ run: LogBoot, _ history: BoardHistory) -> Bool {
    run.resets == history.timing.resetIDs
      && history.runs.contains { $0.resetID == run.resetID && ($0.jump ?? 0) < 0 }
  }

  /// In which round of 2³² ticks a log's run lies. The one in which the session began lies behind the look at which it
  /// did; any other was over when somebody looked, and began with a reset unless the session only then began.
  private static func shift(_ run: LogBoot, to history: BoardBoot, isFirst: Bool, began tick: UInt32?)
    -> Int64
  {
    let slack = Int64(LogBoot.disorder)
    if isFirst, let tick, let begin = history.reading(at: tick) {
      return -(Int64(run.first) + slack - begin).flooredDivision(by: LogBoot.wrap) * LogBoot.wrap
    }
    let latest = (history.lastTick + slack - run.last).flooredDivision(by: LogBoot.wrap)
    return (isFirst ? latest : min(0, latest)) * LogBoot.wrap
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? quotient - 1 : quotient
  }
}
