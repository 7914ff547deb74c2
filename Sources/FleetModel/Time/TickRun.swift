/// A stretch of a log in which the board was not reset, as its entries tell.
public struct TickRun: Hashable, Sendable {
  /// What ticks are counted modulo.
  static let wrap: Int64 = 1 << 32
  /// Ticks that an entry may lie behind the one before it: two loggers' entries need not come in order (a minute).
  static let disorder: Int32 = 40_960

  /// The board's number of the reset.
  public var resetID: Int
  /// Resets since the run before in the log, or since the session began; 0: the same run.
  public var resets: Int
  /// The first entry's tick.
  public var first: UInt32
  /// Ticks that its entries span, counted on beyond 2³².
  public var extent: Int64

  /// Describes a run.
  public init(resetID: Int, resets: Int, first: UInt32, extent: Int64 = 0) {
    (self.resetID, self.resets, self.first, self.extent) = (resetID, resets, first, extent)
  }

  /// Where its last tick is.
  var last: Int64 { Int64(first) + extent }

  /// The ticks from a place to another tick; nil if that is no later one of the same run.
  static func step(from place: Int64, to tick: UInt32) -> Int64? {
    let step = Int32(bitPattern: tick &- UInt32(truncatingIfNeeded: place))
    return step < -disorder ? nil : Int64(step)
  }
}

/// Finds the runs in a log, entry after entry.
public struct TickRunScan: Hashable, Sendable {
  /// The runs so far.
  public private(set) var runs: [TickRun] = []
  private let resetIDs: Int
  private let firstResetID: Int

  /// Begins at a session's first entry; `resetID` is the board's number when the session began. With `runs` it goes on
  /// behind what was found before.
  public init(from resetID: Int, resetIDs: Int, runs: [TickRun] = []) {
    (firstResetID, self.resetIDs, self.runs) = (resetID, max(1, resetIDs), runs)
  }

  /// Takes the next entry.
  public mutating func take(_ clock: BoardTick) {
    guard let index = runs.indices.last else {
      let resets = (clock.resetID - firstResetID + resetIDs) % resetIDs
      runs.append(TickRun(resetID: clock.resetID, resets: resets, first: clock.tick))
      return
    }
    let run = runs[index]
    guard clock.resetID == run.resetID else {
      let resets = (clock.resetID - run.resetID + resetIDs) % resetIDs
      runs.append(TickRun(resetID: clock.resetID, resets: resets, first: clock.tick))
      return
    }
    guard let step = TickRun.step(from: run.last, to: clock.tick) else {
      // The clock went back under the same number: a whole round of resets.
      runs.append(TickRun(resetID: clock.resetID, resets: resetIDs, first: clock.tick))
      return
    }
    if step > 0 { runs[index].extent += step }
  }
}
