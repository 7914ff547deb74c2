/// Gives the samples of a log their times, in order. Stamps never run backwards; those on one tick are equal, and are
/// drawn apart by who publishes them.
public struct LogDating: Sendable {
  /// Where dating stands; kept so that it goes on there after a restart.
  public struct Place: Hashable, Sendable {
    /// Which of the log's runs.
    public var run = 0
    /// The tick, counted on beyond 2³² from the run's first.
    public var tick: Int64 = 0
    /// The latest stamp.
    public var time = Timestamp(nanoseconds: .min)

    /// Before the first sample.
    public init() {}

    /// Where it stood.
    public init(run: Int, tick: Int64, time: Timestamp) {
      (self.run, self.tick, self.time) = (run, tick, time)
    }
  }

  /// When a sample was taken.
  public struct Stamp: Hashable, Sendable {
    /// The stamp.
    public var time: Timestamp
    /// How far it can be off; nil: it is a guess.
    public var error: Duration?
    /// Resets of the board as this fleet counted them.
    public var boot: Int
    /// Which of the log's runs.
    public var run: Int
    /// The tick, counted on beyond 2³² from the run's first.
    public var tick: Int64 = 0

    /// Describes a stamp.
    public init(time: Timestamp, error: Duration?, boot: Int, run: Int, tick: Int64 = 0) {
      (self.time, self.error, self.boot, self.run, self.tick) = (time, error, boot, run, tick)
    }
  }

  /// Where it stands.
  public private(set) var place: Place
  private let runs: [LogBoot]
  private let matching: BootMatching
  private let history: BoardHistory
  private let started: Timestamp
  /// Before which nothing of the log was written; nil where nobody knows.
  private let begin: Timestamp?
  private let boot: Int
  private var latest: Stamp?

  /// Dates a log's `runs`, of a session that began at `started` in `boot`, when the board's clock was at `tick`; nil
  /// for a session that was only found.
  public init(
    _ runs: [LogBoot], of history: BoardHistory, boot: Int, tick: UInt32?, started: Timestamp,
    from place: Place = Place()
  ) {
    (self.runs, self.history, self.place) = (runs, history, place)
    (self.boot, self.started, begin) = (boot, started, tick == nil ? nil : started)
    matching = BootMatching(runs, of: history, boot: boot, tick: tick)
  }

  /// Whether the board was reset so often that its own numbers of resets do not tell runs apart (fault F44).
  public var isAmbiguous: Bool { matching.isAmbiguous }

  /// The time of the next sample, in the run in which it lies; in whichever fits where that is not told.
  public mutating func date(_ clock: BoardTick, inRun known: Int? = nil) -> Stamp {
    let (run, tick) = known.map { ($0, self.tick(of: clock, inRun: $0)) } ?? next(clock)
    if let latest, latest.run == run, place.tick == tick { return latest }
    var date = date(run, tick)
    date.tick = tick
    place = Place(run: run, tick: tick, time: date.time)
    latest = date
    return date
  }

  /// A sample of a run whose own time is doubtful: where the latest one was.
  public func doubtful(inRun run: Int) -> Stamp {
    let boot = run < matching.matches.count ? matching.matches[run].boot : matching.matches.last?.boot ?? boot
    return Stamp(time: isAtStart ? started : place.time, error: nil, boot: boot, run: run, tick: place.tick)
  }

  /// How long the counter stands at one number.
  public var tickLength: Duration { history.timing.tick }

  /// The host's look that is nearest to a sample.
  public func anchor(of stamp: Stamp) -> Timestamp? {
    guard stamp.run < matching.matches.count, let run = matching.matches[stamp.run].run else { return nil }
    let match = matching.matches[stamp.run]
    let stretches = history.stretches(from: run)
    guard stretches.count > 1 else {
      return history.runs[run].nearestAnchor(to: stamp.tick + match.shift)?.time
    }
    let times = stretches.compactMap { index in
      history.runs[index].nearestAnchor(to: history.runs[index].nearest(to: stamp.tick))?.time
    }
    return times.min { max($0 - stamp.time, stamp.time - $0) < max($1 - stamp.time, stamp.time - $1) }
  }

  private func tick(of clock: BoardTick, inRun run: Int) -> Int64 {
    guard run < runs.count else { return Int64(clock.tick) }
    let base = run == place.run && !isAtStart ? place.tick : Int64(runs[run].first)
    return base + LogBoot.signed(from: base, to: clock.tick)
  }

  /// Where the next sample lies.
  private func next(_ clock: BoardTick) -> (run: Int, tick: Int64) {
    var (run, tick) = (place.run, place.tick)
    if isAtStart, let first = runs.first { tick = Int64(first.first) }
    while run < runs.count {
      if runs[run].resetID == clock.resetID, let step = LogBoot.step(from: tick, to: clock.tick) {
        return (run, tick + step)
      }
      guard run + 1 < runs.count else { break }
      run += 1
      tick = Int64(runs[run].first)
    }
    // A run that the scan did not tell of: the tick is all there is.
    return (runs.count, Int64(clock.tick))
  }

  private var isAtStart: Bool { place.time.nanoseconds == .min }

  private func date(_ run: Int, _ tick: Int64) -> Stamp {
    guard run < matching.matches.count else {
      return Stamp(time: guess(run, tick), error: nil, boot: matching.matches.last?.boot ?? boot, run: run)
    }
    let match = matching.matches[run]
    guard let known = match.run, var bounds = bounds(of: tick, run, match, known), !bounds.isEmpty else {
      return Stamp(time: guess(run, tick), error: nil, boot: match.boot, run: run)
    }
    // The sample was taken while the counter stood at this number.
    bounds.latest = bounds.latest + history.timing.tick
    let time = max(bounds.middle, place.time)
    // A stamp that was held back is off by that much more.
    let error = max(time - bounds.earliest, bounds.latest - time)
    return Stamp(time: time, error: error, boot: match.boot, run: run)
  }

  private func bounds(of tick: Int64, _ run: Int, _ match: BootMatching.Match, _ known: Int) -> TimeBounds? {
    let stretches = history.stretches(from: known)
    guard stretches.count > 1 else {
      return history.runs[known].bounds(of: tick + match.shift, history.rate, history.timing)
    }
    let isBefore = run + 1 < runs.count && BootMatching.isJump(runs[run + 1], history)
    return history.bounds(
      of: tick, in: runs[run], stretches, isBehind: BootMatching.isJump(runs[run], history),
      isBefore: isBefore,
      since: begin
    )
  }

  /// Between what was before and the next run whose time is known: as far behind the former as the ticks say.
  private func guess(_ run: Int, _ tick: Int64) -> Timestamp {
    let begin = isAtStart ? started : place.time
    let base = run == place.run && !isAtStart ? place.tick : run < runs.count ? Int64(runs[run].first) : tick
    let time = begin + .nanoseconds(history.timing.nanoseconds(in: max(0, tick - base)))
    // Nobody knows when, but it was before somebody looked.
    let bound = nextKnown(after: run) ?? history.runs.last?.lastReading ?? time
    return max(place.time, min(time, bound))
  }

  /// When the next run began whose time is known, at the earliest.
  private func nextKnown(after index: Int) -> Timestamp? {
    for next in matching.matches.indices.dropFirst(index + 1) {
      guard let run = matching.matches[next].run else { continue }
      let tick = Int64(runs[next].first) + matching.matches[next].shift
      return history.runs[run].bounds(of: tick, history.rate, history.timing)?.earliest
    }
    return nil
  }
}
