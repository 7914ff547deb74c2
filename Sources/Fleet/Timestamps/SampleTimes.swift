import FleetModel

/// The times of a stream's samples, with those that wait for theirs.
struct SampleTimes: Sendable {
  private var clock: StreamClock?
  /// Stamps begin behind this one.
  private(set) var floor: Timestamp?
  /// Samples that wait, value after value, each of `width`.
  private var waiting: [Double] = []
  private var width = 1
  /// The values of the latest packet, and when it came.
  private var latest: [Double] = []
  private var latestArrival: Timestamp?
  /// Packets in a row that were each unlike the one before, but for those that may have come twice.
  private var unlike = 0
  /// Whether the latest packet may be the one before it once more.
  private var mayBeCopy = false
  /// How many it takes of them before one like the one before may have come twice.
  private var distinctPackets = Self.distinctAtFirst
  /// When the last packet came before those that wait, by uptime.
  private var since = Duration.zero
  private var found: [LostSamples] = []
  /// What came, was lost, and came twice.
  private(set) var counts = SampleRateMonitor.Counts()
  private var duplicatesReported = 0

  /// Whether samples are counted: otherwise each has the time it came with.
  var isCounted: Bool { clock != nil }

  /// After so many packets of which none was like the one before, one that is may have come twice: it did when it comes
  /// at once, or when those behind it leave no time for it. A few are enough as long as none ever was. Assumed.
  private static let distinctOfRepeating = 50
  private static let distinctAtFirst = 4

  /// Our time that passes in one second of the sensor's, less one, as far as it is known.
  var rate: Double { clock?.line?.rate ?? 0 }

  /// Begins anew: with samples that come every `period`, or with such that are not counted. What waits must have been
  /// withdrawn. Stamps go on behind `last`.
  mutating func restart(counting period: Duration?, isRegular: Bool, behind last: Timestamp?) {
    floor = last
    clock = period.map { StreamClock(period: $0, isRegular: isRegular) }
    waiting = []
  }

  /// Takes a packet that comes as it should; nil for any other.
  mutating func take(
    _ samples: Span<ReadingBuffer.Entry>, _ values: Span<Double>, at arrival: Timestamp
  ) -> StreamClock.Placement? {
    if unlike >= distinctPackets, isLikeLatest(samples, values) { return nil }
    return clock?.take(samples.count, at: arrival)
  }

  /// Whether a packet comes sooner behind the latest one than the sensor can have sent it, of a sensor that tells
  /// packets apart. In clumps they all do.
  private func comesAtOnce(_ count: Int, at arrival: Timestamp) -> Bool {
    guard unlike >= Self.distinctOfRepeating, let clock, let latestArrival else { return false }
    return (arrival - latestArrival).wholeNanoseconds < Int64(count) &* clock.period / 2
  }

  /// Counts a packet, and keeps it, so that it is known if it comes again.
  mutating func remember(
    _ samples: Span<ReadingBuffer.Entry>, _ values: Span<Double>, mayBeCopy: Bool = false
  ) {
    counts.came += samples.count
    let range = samples[0].values.lowerBound..<samples[samples.count - 1].values.upperBound
    latestArrival = samples[samples.count - 1].time
    guard latest.count == range.count else {
      (latest, unlike) = (range.map { values[$0] }, 0)
      return
    }
    var isAlike = true
    for index in range {
      let place = index - range.lowerBound
      isAlike = isAlike && latest[place] == values[index]
      latest[place] = values[index]
    }
    guard isAlike else {
      (unlike, self.mayBeCopy) = (unlike + 1, false)
      return
    }
    // One that comes a third time is of a sensor that rests.
    guard mayBeCopy, !self.mayBeCopy else { return repeats() }
    self.mayBeCopy = true
  }

  /// The sensor sends equal packets one behind the other.
  private mutating func repeats() {
    (unlike, distinctPackets, mayBeCopy) = (0, Self.distinctOfRepeating, false)
  }

  /// Takes a packet that comes first, early, late, or behind one that waits. `before`: when the last one came. Returns
  /// where those lie whose places are clear now; their samples are withdrawn one after the other.
  mutating func takeOther(
    _ samples: Span<ReadingBuffer.Entry>, _ values: Span<Double>, since before: Duration, uptime: Duration,
    setForward: Int64
  ) -> [StreamClock.Placement] {
    let (count, arrival) = (samples.count, samples[samples.count - 1].time)
    let isLikeLatest = isLikeLatest(samples, values)
    if isLikeLatest, isCopyForCertain(count, at: arrival) {
      counts.doubled += 1
      return []
    }
    let mayBeCopy = isLikeLatest && unlike >= distinctPackets && clock?.detectsDuplicates == true
    remember(samples, values, mayBeCopy: mayBeCopy)
    if waiting.isEmpty { since = before }
    width = samples[0].values.count
    for index in samples.indices {
      for place in samples[index].values { waiting.append(values[place]) }
    }
    guard clock?.line != nil else {
      return clock.map { _ in [begin(count, at: arrival)] } ?? []
    }
    return noting(
      clock?.takeOther(
        count, at: arrival, mayBeCopy: mayBeCopy, uptime: uptime, setForward: setForward) ?? [])
  }

  /// Notes when one that might have come twice turned out to be one of its own.
  private mutating func noting(_ placed: [StreamClock.Placement]) -> [StreamClock.Placement] {
    if placed.contains(where: \.isRepetition) { repeats() }
    return placed
  }

  private mutating func begin(_ count: Int, at arrival: Timestamp) -> StreamClock.Placement {
    clock?.begin(count, at: arrival, behind: floor)
      ?? StreamClock.Placement(count: count, last: arrival, step: 0)
  }

  /// Whether a packet has the values of the latest one.
  private func isLikeLatest(_ samples: Span<ReadingBuffer.Entry>, _ values: Span<Double>) -> Bool {
    let range = samples[0].values.lowerBound..<samples[samples.count - 1].values.upperBound
    guard range.count == latest.count else { return false }
    for index in range where values[index] != latest[index - range.lowerBound] { return false }
    return true
  }

  /// Whether a packet like the latest one is that one once more for certain: the sensor cannot have sent another yet.
  private func isCopyForCertain(_ count: Int, at arrival: Timestamp) -> Bool {
    guard let clock, let latestArrival else { return false }
    return clock.isExcess(count, at: arrival, behind: latestArrival) || comesAtOnce(count, at: arrival)
  }

  /// The packet that waited longest had come before: it is left out.
  mutating func leaveOutCopy(of count: Int) {
    counts.came -= withdraw(count).count
    counts.doubled += 1
    // The sensor tells packets apart after all.
    unlike = max(unlike, Self.distinctOfRepeating)
  }

  /// The samples of the packet that waits longest.
  mutating func withdraw(_ count: Int) -> [[Double]] {
    let taken = min(count, waiting.count / width)
    defer { waiting.removeFirst(taken * width) }
    return (0..<taken).map { Array(waiting[$0 * width..<($0 + 1) * width]) }
  }

  /// Whether samples wait for their times.
  var isWaiting: Bool { !waiting.isEmpty }

  /// By when something has to be decided about what waits; nil when nothing does.
  var due: Duration? { clock?.due }

  /// Decides about what waits, when its time is over; with `force` in any case.
  mutating func expire(_ uptime: Duration, setForward: Int64, force: Bool) -> [StreamClock.Placement] {
    noting(clock?.expire(uptime, setForward: setForward, force: force) ?? [])
  }

  /// Samples are missing before those at a place, behind one at `last`.
  mutating func missed(_ place: StreamClock.Placement, behind last: Timestamp) {
    counts.lost += place.lost
    found.append(LostSamples(count: place.lost, from: last, to: place.first, since: since))
  }

  /// Whether something was found that has to be reported.
  var hasFindings: Bool { !found.isEmpty || counts.doubled > duplicatesReported }

  /// Packets that came twice since this was asked last.
  mutating func takeDuplicates() -> Int {
    defer { duplicatesReported = counts.doubled }
    return counts.doubled - duplicatesReported
  }

  /// Samples that turned out to be missing since this was asked last.
  mutating func takeMissed() -> [LostSamples] {
    defer { found = [] }
    return found
  }
}
