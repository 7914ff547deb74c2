/// One run of a board between two resets, as far as somebody looked at its clock. Ticks are counted on beyond 2³² here.
public struct BoardBoot: Hashable, Sendable {
  /// A look at the clock.
  struct Anchor: Hashable, Sendable {
    var tick: Int64
    var bounds: TimeBounds
    /// When the host looked.
    var time: Timestamp
  }

  /// Resets of the board as this fleet counted them, from 1.
  public let boot: Int
  /// The board's own number of the reset.
  public let resetID: Int
  /// Readings that agree with each other, in order of ticks; those that later ones contradict are left out (fault F47).
  private(set) var anchors: [Anchor] = []
  /// Ticks by which the clock jumped before these looks, since those before them in the same run; nil: it did not.
  public private(set) var jump: Int64?
  /// Ticks of all readings, also of those whose time is worth nothing.
  private var ticks: [Int64] = []

  /// Takes the readings of one run, at least one, in the order in which they were taken.
  init(_ readings: some Collection<ClockAnchor>, timing: BoardTiming, jump: Int64? = nil) {
    self.jump = jump
    boot = readings.first?.boot ?? 1
    resetID = readings.first?.reading.clock.resetID ?? 0
    var previous: ClockAnchor?
    for anchor in readings {
      ticks.append(Self.counted(anchor, after: previous, at: lastTick, timing))
      previous = anchor
      guard anchor.isTrusted else { continue }
      let (time, error) = (anchor.reading.time, anchor.reading.error)
      // The board's counter had been at this number for up to a tick.
      let bounds = TimeBounds(time - error - timing.tick, time + error)
      anchors.append(Anchor(tick: lastTick, bounds: bounds, time: time))
    }
    agree(timing)
  }

  /// Tick of the latest reading.
  var lastTick: Int64 { ticks.last ?? 0 }

  /// The latest reading of these ticks, counted on beyond 2³².
  func reading(at tick: UInt32) -> Int64? { ticks.last { UInt32(truncatingIfNeeded: $0) == tick } }

  /// A reading's tick, counted on beyond 2³² by the time that passed since the one before (fault F43).
  private static func counted(
    _ anchor: ClockAnchor, after previous: ClockAnchor?, at last: Int64, _ timing: BoardTiming
  ) -> Int64 {
    let tick = anchor.reading.clock.tick
    guard let previous else { return Int64(tick) }
    let step = Int64(tick &- UInt32(truncatingIfNeeded: last))
    guard anchor.isTrusted, previous.isTrusted else { return last + step }
    let passed = timing.ticks(in: (anchor.reading.time - previous.reading.time).wholeNanoseconds)
    let rounds = max(0, (Double(passed - step) / Double(LogBoot.wrap)).rounded())
    return last + step + Int64(rounds) * LogBoot.wrap
  }

  /// Leaves out what the latest reading contradicts, and lets each reading tell its neighbours what it knows.
  private mutating func agree(_ timing: BoardTiming) {
    guard var known = anchors.popLast() else { return }
    let prior = CrystalRate.unmeasured
    var kept = [known]
    for anchor in anchors.reversed() {
      let predicted = prior.advance(known.bounds, by: timing.nanoseconds(in: anchor.tick - known.tick))
      let both = predicted.intersection(anchor.bounds)
      guard !both.isEmpty else { continue }
      known = Anchor(tick: anchor.tick, bounds: both, time: anchor.time)
      kept.append(known)
    }
    anchors = kept.reversed()
    tighten(prior, timing)
  }

  /// Carries what is known from reading to reading, onwards and back. Does nothing if they contradict each other then.
  mutating func tighten(_ rate: CrystalRate, _ timing: BoardTiming) {
    var tighter = anchors
    let steps = tighter.indices.dropFirst().map { ($0, $0 - 1) }
    for (here, there) in steps + steps.reversed().map({ ($1, $0) }) {
      let span = timing.nanoseconds(in: tighter[here].tick - tighter[there].tick)
      let both = rate.advance(tighter[there].bounds, by: span).intersection(tighter[here].bounds)
      if both.isEmpty { return }
      tighter[here].bounds = both
    }
    anchors = tighter
  }

  /// The crystal's mean rate over all readings, with the span in the board's nanoseconds; nil of fewer than two.
  func meanRate(_ timing: BoardTiming) -> (rate: ClosedRange<Double>, span: Int64)? {
    guard let first = anchors.first, let last = anchors.last, last.tick > first.tick else { return nil }
    let span = timing.nanoseconds(in: last.tick - first.tick)
    let least = (last.bounds.earliest - first.bounds.latest).wholeNanoseconds - span
    let most = (last.bounds.latest - first.bounds.earliest).wholeNanoseconds - span
    guard least <= most else { return nil }
    return (Double(least) / Double(span)...Double(most) / Double(span), span)
  }

  /// When the board's counter went to `tick`; nil without a reading whose time is known.
  func bounds(of tick: Int64, _ rate: CrystalRate, _ timing: BoardTiming) -> TimeBounds? {
    var bounds: TimeBounds?
    for anchor in neighbours(of: tick) {
      let predicted = rate.advance(anchor.bounds, by: timing.nanoseconds(in: tick - anchor.tick))
      bounds = bounds.map { $0.intersection(predicted) } ?? predicted
    }
    return bounds
  }

  /// The same looks, as if nothing had been before them.
  func forgettingJump() -> BoardBoot {
    var run = self
    run.jump = nil
    return run
  }

  /// A tick of any round of 2³² where it lies nearest to these readings.
  func nearest(to tick: Int64) -> Int64 {
    lastTick + LogBoot.signed(from: lastTick, to: UInt32(truncatingIfNeeded: tick))
  }

  /// When the host read the clock first, where its clock was set.
  var firstReading: Timestamp? { anchors.first?.time }
  /// When the host read the clock last, where its clock was set.
  var lastReading: Timestamp? { anchors.last?.time }

  /// The reading whose tick is nearest.
  func nearestAnchor(to tick: Int64) -> Anchor? {
    neighbours(of: tick).min { abs($0.tick - tick) < abs($1.tick - tick) }
  }

  /// The readings before and after a tick.
  private func neighbours(of tick: Int64) -> ArraySlice<Anchor> {
    var (low, high) = (0, anchors.count)
    while low < high {
      let middle = (low + high) / 2
      if anchors[middle].tick <= tick { low = middle + 1 } else { high = middle }
    }
    return anchors[max(0, low - 1)..<min(anchors.count, low + 1)]
  }
}

extension ClockAnchor {
  /// Whether its time is worth anything: a host that wakes up in 1970 may say that its clock is set (fault F47).
  var isTrusted: Bool { isHostTimeKnown && reading.time.isPlausible }
}

extension BoardTiming {
  /// One tick, rounded up.
  var tick: Duration { .nanoseconds((nanoseconds + ticks - 1) / ticks) }

  /// What passes in so many ticks; no product leaves the range within 290 years.
  func nanoseconds(in count: Int64) -> Int64 {
    let (whole, rest) = count.quotientAndRemainder(dividingBy: ticks)
    return whole &* nanoseconds &+ rest &* nanoseconds / ticks
  }

  /// How many ticks pass.
  func ticks(in span: Int64) -> Int64 {
    let (whole, rest) = span.quotientAndRemainder(dividingBy: nanoseconds)
    return whole &* ticks &+ Int64(Double(rest) * Double(ticks) / Double(nanoseconds))
  }
}
