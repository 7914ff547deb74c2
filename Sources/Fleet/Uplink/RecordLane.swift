package import FleetModel

/// Collects the samples of one stream into numbered batches: complete, bounded by time and count (MQTT API 3.2).
///
/// One lane is one session: a new link or a new configuration makes a new lane.
package struct RecordLane: Sendable {
  /// What is less than a millisecond is no matter beside the error of arrivals.
  private static let leastOffset: Int64 = 1_000_000

  /// What all its batches have in common.
  private struct Origin {
    let board: BoardID
    let stream: String
    let fields: [StreamDefinition.Field]
    let session: ULID
    let boot: Int
  }

  private let origin: Origin
  /// How long and how large a batch may become.
  var limits: LaneLimits
  private let clock: ClockQuality
  private var configuration: JSONObject?
  // The open batch. Loose arrays, because a batch that is looked at is a batch that is copied.
  private var times: [Timestamp] = []
  private var values: [Double] = []
  private var openedAt = Duration.zero
  private(set) var nextSequence = 0
  /// Lost before the open batch, and before the next sample.
  private var openGap = 0
  private var gap = 0
  /// What speaks against the values of the open batch and of those that follow.
  private(set) var doubts: Set<QualityReason>
  private var lastTime: Timestamp
  /// How far the stamps of the open batch are known to be off at most, in nanoseconds.
  private var offset: Int64 = 0

  /// Makes a lane whose stamps begin behind `last`.
  package init(
    board: BoardID, stream: String, fields: [StreamDefinition.Field], session: ULID, boot: Int,
    clock: ClockQuality, configuration: JSONObject, limits: LaneLimits, doubts: Set<QualityReason> = [],
    behind last: Timestamp? = nil
  ) {
    lastTime = last ?? Timestamp(nanoseconds: .min)
    origin = Origin(board: board, stream: stream, fields: fields, session: session, boot: boot)
    self.clock = clock
    self.configuration = configuration
    self.limits = limits
    self.doubts = doubts
  }

  var session: ULID { origin.session }

  /// A batch has one quality: when that changes, the open one ends. Returns it.
  mutating func change(_ doubts: Set<QualityReason>) -> SampleBatch? {
    guard doubts != self.doubts else { return nil }
    defer { self.doubts = doubts }
    return close()
  }

  /// When the open batch has waited long enough, by uptime; nil where there is none.
  var due: Duration? { times.isEmpty ? nil : openedAt + limits.maximumSpan }

  /// Notes samples that were lost before the next one; -1 when nobody knows how many.
  mutating func lost(_ count: Int) { gap = count < 0 || gap < 0 ? -1 : gap + count }

  /// Whether the open batch has to leave before a sample of this time comes in.
  func isFull(before time: Timestamp) -> Bool {
    guard let first = times.first else { return false }
    // The clock of times that nobody can know differs by decades, so that these end by their span.
    return gap != 0 || times.count >= limits.maximumSamples
      || max(time, lastTime) - first > limits.maximumSpan
  }

  /// The stamps of the next sample are off by so many nanoseconds more than the clock says.
  mutating func note(offset: Int64) { self.offset = max(self.offset, offset) }

  /// Takes one sample, for which there is room, and gives it its number and its stamp: stamps of a stream increase, by
  /// a microsecond at least, as they are published in those.
  package mutating func append(
    at time: Timestamp, _ sample: Span<Double>, uptime: Duration
  ) -> (stamp: Timestamp, sequence: Int) {
    var stamp = time
    if stamp <= lastTime {
      stamp = lastTime + .microseconds(1)
      note(offset: (stamp - time).wholeNanoseconds)
    }
    lastTime = stamp
    if times.isEmpty { (openedAt, openGap, gap) = (uptime, gap, 0) }
    let sequence = nextSequence
    nextSequence += 1
    times.append(stamp)
    values.append(addingCapacity: sample.count) { room in
      for index in sample.indices { room.append(sample[index]) }
    }
    return (stamp, sequence)
  }

  /// Takes the open batch when it has waited long enough; with `force`, in any case.
  package mutating func flush(at uptime: Duration, force: Bool = false) -> SampleBatch? {
    guard !times.isEmpty, force || uptime - openedAt >= limits.maximumSpan else { return nil }
    return close()
  }

  /// How good the stamps of the open batch are; what they are known to be off comes on top.
  private var publishedClock: ClockQuality {
    guard offset >= Self.leastOffset else { return clock }
    var clock = clock
    clock.errorMilliseconds = clock.errorMilliseconds.map { $0 + (Double(offset) / 1_000_000).rounded(.up) }
    return clock
  }

  /// Takes the open batch; nil where there is none.
  mutating func close() -> SampleBatch? {
    guard !times.isEmpty else { return nil }
    var batch = SampleBatch(
      board: origin.board, stream: origin.stream, fields: origin.fields, session: origin.session,
      boot: origin.boot, sequence: nextSequence - times.count, gapBefore: openGap, clock: publishedClock,
      configuration: configuration)
    (batch.times, batch.values, batch.doubts) = (times, values, doubts)
    configuration = nil
    (times, values, offset) = ([], [], 0)
    // The next batch will be about as long.
    times.reserveCapacity(batch.times.count + 1)
    values.reserveCapacity(batch.values.count + origin.fields.count)
    return batch
  }
}
