public import FleetModel

/// How a board's log stands.
public struct LogStatus: Hashable, Sendable {
  /// The board's clock.
  public var clock: ClockReading
  /// Entries in the log as the board counts them; it may count more than it hands out.
  public var entries: Int
  /// Entries that it can hold.
  public var capacity: Int
  /// Whether it logs.
  public var isLogging: Bool
  /// Whether the oldest entries are overwritten when it is full.
  public var isCircular: Bool
  /// Pages that were freed for new entries since the board was made; nil of boards that do not tell.
  public var recycledPages: Int?
  /// Entries of a page, of which one is handed out and the next only when it is erased; nil of boards that do not tell.
  public var pageSize: Int?

  /// Describes a log.
  public init(
    clock: ClockReading, entries: Int, capacity: Int, isLogging: Bool, isCircular: Bool, recycledPages: Int?,
    pageSize: Int? = nil
  ) {
    (self.clock, self.entries, self.capacity) = (clock, entries, capacity)
    (self.isLogging, self.isCircular, self.recycledPages) = (isLogging, isCircular, recycledPages)
    self.pageSize = pageSize
  }
}

/// Entries that came in one piece while a log was read out.
public struct LogPage: Hashable, Sendable {
  /// Whole raw entries in the order in which the board sent them.
  public var entries: [UInt8]
  /// Whether the board said that this ends a page, and waits for its confirmation. A page may be handed out in several
  /// pieces, of which the last one is so; boards may send pages without entries.
  public var endsPage: Bool
  /// Entries that the board still has to send, as it announced last; nil before it did.
  public var left: Int?
  /// Entries that the board counted of the page that ends here and handed out in neither of two read-outs in a row: the
  /// page goes without them.
  public var missing: Int

  /// Takes what came.
  public init(entries: [UInt8], endsPage: Bool, left: Int?, missing: Int = 0) {
    (self.entries, self.endsPage, self.left, self.missing) = (entries, endsPage, left, missing)
  }
}

/// What came of reading a log out.
public struct LogReadOutResult: Hashable, Sendable {
  /// Why it is over.
  public enum End: Hashable, Sendable {
    /// The board said that nothing is left.
    case finished
    /// The board fell silent.
    case silent
    /// What came could not be kept: nothing was confirmed any more.
    case notKept
    /// Of its last page less came than the board announced, or something that could not be read, or our own reader was
    /// stalled meanwhile: that page was not confirmed, and comes again with the next read-out.
    case doubtful
    /// The board waits for a page to be erased before it goes on, and that was not allowed.
    case needsErasure
  }

  /// Why it is over.
  public var end: End
  /// Entries that came.
  public var entries: Int
  /// Packets of it that could not be read.
  public var malformed: Int
  /// Entries that the board counted of pages that were confirmed, and handed out in neither of two read-outs in a row.
  public var missing: Int
  /// Entries that came twice within a page and are handed on once.
  public var doubled: Int

  /// Describes a read-out.
  public init(end: End, entries: Int, malformed: Int = 0, missing: Int = 0, doubled: Int = 0) {
    (self.end, self.entries, self.malformed, self.missing) = (end, entries, malformed, missing)
    self.doubled = doubled
  }
}

/// The log of a board, on one link. What is logged is part of the board's program (`BoardProgram.logs`).
public protocol LogSource: AnyObject {
  /// What the loggers on the board write down, ours and others'. Asks the board only for what it does not know yet, or
  /// for all of it where somebody else may have been there (`anew`).
  func streams(anew: Bool) async throws(ProtocolFailure) -> [LoggedStream]

  /// Looks at clock and log, without changing anything.
  func status() async throws(ProtocolFailure) -> LogStatus

  /// Switches logging on. Entries that are there stay.
  func start(overwriting isCircular: Bool) async throws(ProtocolFailure)

  /// Has the board tell what a read-out needs. Changes nothing about the log, so that it is done while the board still
  /// logs.
  func prepareReadOut() async throws(ProtocolFailure)

  /// Ends what `prepareReadOut` began.
  func leaveReadOut() async throws(ProtocolFailure)

  /// Counts the entries again, and reads the clock if asked to; all else is as `known` says, whether it logs as it was
  /// reported last. Without a reading of the clock nothing is known of recycled pages, since a read-out recycles them.
  func recount(_ known: LogStatus, withClock: Bool) async throws(ProtocolFailure) -> LogStatus

  /// Switches logging off, and has the board write out what it still holds in memory. What is streamed goes on.
  func stop() async throws(ProtocolFailure)

  /// Reads `count` entries out. What comes is handed to `keep` piece by piece and in order, also what came of a page
  /// when the link broke or the board fell silent. A page is confirmed, which may erase it on the board, only when all
  /// of it is known to have come, `keep` returned true for all of it, so that it is on our disk, and `mayErase`.
  /// Logging must be off. Called again behind a read-out that ended `doubtful`, it goes by both: what came twice alike
  /// is all there is.
  func readOut(
    _ count: Int, mayErase: Bool, keep: (LogPage) async -> Bool
  ) async throws(ProtocolFailure) -> LogReadOutResult

  /// Erases all entries. Logging must be off. The board may still count an entry that it does not hold.
  func clear() async throws(ProtocolFailure)
}

/// Turns raw entries into samples. Pure: needs no link and no board.
public protocol LogDecoder: Sendable {
  /// Takes whole entries in the order in which the board sent them. Entries of loggers that it does not know are
  /// counted, and change nothing else. `doubtful` are the places, in order, of entries whose time is not to be
  /// believed.
  mutating func decode(_ entries: RawSpan, doubtful: ArraySlice<Int>, into decoded: inout DecodedLog)

  /// Raw entries whose samples are not complete yet, in order: what to begin with next time.
  var rest: [UInt8] { get }
}

extension LogDecoder {
  /// Takes whole entries, all of whose times are believed.
  public mutating func decode(_ entries: RawSpan, into decoded: inout DecodedLog) {
    decode(entries, doubtful: [], into: &decoded)
  }
}

/// What comes out of decoding entries, in buffers that are reused.
public struct DecodedLog: Sendable {
  /// One sample.
  public struct Entry: Hashable, Sendable {
    /// Which of the decoder's streams.
    public let stream: Int
    /// When it was taken, by the board.
    public let clock: BoardTick
    /// Where its values are in `values`.
    public let values: Range<Int>
    /// Whether its time is not to be believed.
    public let isDoubtful: Bool

    /// Describes a sample.
    public init(stream: Int, clock: BoardTick, values: Range<Int>, isDoubtful: Bool = false) {
      (self.stream, self.clock, self.values, self.isDoubtful) = (stream, clock, values, isDoubtful)
    }
  }

  /// The samples in the order in which they were completed.
  public var entries: [Entry] = []
  /// The samples' values one after the other, each in the unit of its field.
  public var values: [Double] = []
  /// Entries of loggers that nobody knows, by slot.
  public var unknown: [Int: Int] = [:]

  /// Empty buffers.
  public init() {}

  /// Empties the buffers and keeps their memory.
  public mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    if !unknown.isEmpty { unknown = [:] }
  }
}

/// What a family's logs are made of.
public struct LogFormat: Sendable {
  /// Bytes of one raw entry.
  public var entrySize: Int
  /// How boards count time.
  public var timing: BoardTiming
  /// The board's time of the entry that begins at an offset; nil where none lies there in whole.
  public var clock: @Sendable (RawSpan, Int) -> BoardTick?
  /// Which logger wrote the entry that begins at an offset; nil where the entry does not say.
  public var logger: @Sendable (RawSpan, Int) -> Int?
  /// Makes a decoder for streams, to begin with what another one left over.
  public var makeDecoder: @Sendable ([LoggedStream], _ rest: [UInt8]) -> any LogDecoder

  /// Describes a format.
  public init(
    entrySize: Int, timing: BoardTiming, clock: @escaping @Sendable (RawSpan, Int) -> BoardTick?,
    logger: @escaping @Sendable (RawSpan, Int) -> Int? = { _, _ in nil },
    makeDecoder: @escaping @Sendable ([LoggedStream], _ rest: [UInt8]) -> any LogDecoder
  ) {
    (self.entrySize, self.timing, self.clock, self.makeDecoder) = (entrySize, timing, clock, makeDecoder)
    self.logger = logger
  }
}
