/// All runs of a board in which somebody looked at its clock, oldest first, and how fast its crystal may run.
public struct BoardHistory: Hashable, Sendable {
  /// The runs.
  public let runs: [BoardRun]
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
    var runs: [BoardRun] = []
    var start = anchors.startIndex
    for index in anchors.indices {
      let next = anchors.index(after: index)
      let isLast = next == anchors.endIndex
      if isLast || !anchors[index].isSameRun(as: anchors[next]) {
        runs.append(BoardRun(anchors[start..<next], timing: timing))
        start = next
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

extension ClockAnchor {
  fileprivate func isSameRun(as other: ClockAnchor) -> Bool {
    boot == other.boot && reading.clock.resetID == other.reading.clock.resetID
  }
}
