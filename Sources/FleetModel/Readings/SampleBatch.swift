/// How good the stamps of a batch are (MQTT API 3.2).
public struct ClockQuality: Hashable, Sendable {
  /// What the stamps were taken from.
  public enum Source: String, Sendable {
    case boardTick = "board-tick"
    case arrival, unknown
  }

  /// What the stamps were taken from.
  public var source: Source
  /// Bound of the error in milliseconds; nil when nothing can be said.
  public var errorMilliseconds: Double?
  /// How much the board's clock is fast, in ppm, where that was measured.
  public var drift: Double?
  /// The look at the board's clock that is nearest to the stamps.
  public var anchor: Timestamp?

  /// States a source and a bound.
  public init(
    source: Source, errorMilliseconds: Double?, drift: Double? = nil, anchor: Timestamp? = nil
  ) {
    (self.source, self.errorMilliseconds) = (source, errorMilliseconds)
    (self.drift, self.anchor) = (drift, anchor)
  }
}

/// Samples of one stream that travel together: complete, numbered, bounded. The unit of the record and log lanes.
public struct SampleBatch: Hashable, Sendable {
  /// How samples came from the board.
  public enum Origin: String, Sendable {
    /// As they were taken.
    case stream
    /// From its log.
    case flash
  }

  /// How these came.
  public var origin: Origin
  /// Whose samples.
  public var board: BoardID
  /// Stream name in the topic.
  public var stream: String
  /// What each sample holds.
  public var fields: [StreamDefinition.Field]
  /// The uninterrupted run these belong to.
  public var session: ULID
  /// Resets of the board as this fleet has seen them, from 1.
  public var boot: Int
  /// Number of the first sample within the session.
  public var sequence: Int
  /// Samples known to be lost before the first one; -1 when lost but uncountable.
  public var gapBefore: Int
  /// Quality of the stamps.
  public var clock: ClockQuality
  /// One stamp per sample.
  public var times: [Timestamp]
  /// `fields.count` values per sample, sample after sample.
  public var values: [Double]
  /// Effective configuration, in the first batch of a session only.
  public var configuration: JSONObject?
  /// What speaks against its values; see `qualityReasons`.
  public var doubts: Set<QualityReason> = []

  /// How many samples.
  public var count: Int { times.count }

  /// An empty batch whose samples are appended.
  public init(
    board: BoardID, stream: String, fields: [StreamDefinition.Field], session: ULID, boot: Int, sequence: Int,
    gapBefore: Int, clock: ClockQuality, configuration: JSONObject?, origin: Origin = .stream
  ) {
    self.origin = origin
    self.board = board
    self.stream = stream
    self.fields = fields
    self.session = session
    self.boot = boot
    self.sequence = sequence
    self.gapBefore = gapBefore
    self.clock = clock
    times = []
    values = []
    self.configuration = configuration
  }
}

/// The newest sample of a stream, for eyes: it repeats a sample of the record lane.
public struct LiveSample: Hashable, Sendable {
  /// Whose sample.
  public var board: BoardID
  /// Stream name in the topic.
  public var stream: String
  /// What the sample holds.
  public var fields: [StreamDefinition.Field]
  /// The sample's time.
  public var time: Timestamp
  /// The sample's number on the record lane.
  public var sequence: Int
  /// One value per field.
  public var values: [Double]
  /// What speaks against its values; see `qualityReasons`.
  public var doubts: Set<QualityReason>

  /// Takes one sample.
  public init(
    board: BoardID, stream: String, fields: [StreamDefinition.Field], time: Timestamp, sequence: Int,
    values: [Double], doubts: Set<QualityReason> = []
  ) {
    self.board = board
    self.stream = stream
    self.fields = fields
    self.time = time
    self.sequence = sequence
    self.values = values
    self.doubts = doubts
  }
}
