package import FleetModel

/// Collects the samples of one stream into numbered batches: complete, bounded by time and count (MQTT API 3.2).
///
/// One lane is one session: a new link or a new configuration makes a new lane.
package struct RecordLane: Sendable {
  let session: ULID
  private let board: BoardID
  private let stream: String
  private let fields: [StreamDefinition.Field]
  private let boot: Int
  private let limits: LaneLimits
  private let clock: ClockQuality
  private var configuration: JSONObject?
  private var open: SampleBatch?
  private var openedAt = Duration.zero
  private(set) var nextSequence = 0
  private var gap = 0
  private var lastTime = Timestamp(nanoseconds: .min)

  package init(
    board: BoardID, stream: String, fields: [StreamDefinition.Field], session: ULID, boot: Int,
    clock: ClockQuality, configuration: JSONObject, limits: LaneLimits
  ) {
    self.board = board
    self.stream = stream
    self.fields = fields
    self.session = session
    self.boot = boot
    self.clock = clock
    self.configuration = configuration
    self.limits = limits
  }

  /// Notes samples that were lost before the next one; -1 when nobody knows how many.
  mutating func lost(_ count: Int) { gap = count < 0 || gap < 0 ? -1 : gap + count }

  /// Takes one sample and gives it its number and its stamp, which never runs backwards. Returns the batch that
  /// became full before it, if any.
  package mutating func append(
    at time: Timestamp, _ values: ArraySlice<Double>, uptime: Duration
  ) -> (stamp: Timestamp, sequence: Int, finished: SampleBatch?) {
    let stamp = max(time, lastTime)
    lastTime = stamp
    let sequence = nextSequence
    nextSequence += 1
    var finished: SampleBatch?
    if let batch = open, let first = batch.times.first,
      batch.count >= limits.maximumSamples || stamp - first > limits.maximumSpan
    {
      finished = close()
    }
    if open == nil {
      openedAt = uptime
      open = SampleBatch(
        board: board, stream: stream, fields: fields, session: session, boot: boot, sequence: sequence,
        gapBefore: gap, clock: clock, configuration: configuration)
      gap = 0
      configuration = nil
    }
    open?.times.append(stamp)
    open?.values.append(contentsOf: values)
    return (stamp, sequence, finished)
  }

  /// Takes the open batch when it has waited long enough; with `force`, in any case.
  package mutating func flush(at uptime: Duration, force: Bool = false) -> SampleBatch? {
    guard open != nil, force || uptime - openedAt >= limits.maximumSpan else { return nil }
    return close()
  }

  private mutating func close() -> SampleBatch? {
    defer { open = nil }
    return open
  }
}
