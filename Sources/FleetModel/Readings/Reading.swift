/// Which of a session's streams a reading belongs to. The session numbers its streams and the driver repeats the
/// number, so that the hot path never compares names.
public struct StreamKey: Hashable, Comparable, Sendable {
  /// Position in the session's list of streams.
  public let index: Int

  /// Names the stream at `index`.
  public init(_ index: Int) { self.index = index }

  /// Orders by number.
  public static func < (left: StreamKey, right: StreamKey) -> Bool { left.index < right.index }
}

/// The readings decoded from one packet, in a buffer that is reused: nothing is allocated per packet once warm.
public struct ReadingBuffer: Sendable {
  /// One sample: its stream, its time, and where its values start in `values`.
  public struct Entry: Hashable, Sendable {
    /// Which of the session's streams.
    public let stream: StreamKey
    /// When it was measured.
    public let time: Timestamp
    /// Where its values are in `values`.
    public let values: Range<Int>

    /// Describes a sample.
    public init(stream: StreamKey, time: Timestamp, values: Range<Int>) {
      self.stream = stream
      self.time = time
      self.values = values
    }
  }

  // Filled up to a count: an array that is emptied for every packet costs as much as to decode the packet.
  private var entryStore: [Entry] = []
  private var valueStore: [Double] = []
  private var entryCount = 0
  private var valueCount = 0

  /// An empty buffer.
  public init() {}

  /// A copy of the samples, oldest first.
  public var entries: [Entry] { Array(entryStore[..<entryCount]) }
  /// A copy of the samples' values one after the other, each in the unit of its field.
  public var values: [Double] { Array(valueStore[..<valueCount]) }
  /// How many samples there are.
  public var count: Int { entryCount }

  /// Lends the samples and their values, which are not copied for it.
  public func read(_ body: (_ entries: Span<Entry>, _ values: Span<Double>) -> Void) {
    body(entryStore.span.extracting(first: entryCount), valueStore.span.extracting(first: valueCount))
  }

  /// Adds a sample with one value.
  public mutating func append(_ stream: StreamKey, at time: Timestamp, _ value: Double) {
    let place = add(stream, at: time, width: 1)
    valueStore[place] = value
  }

  /// Adds a sample with two values.
  public mutating func append(_ stream: StreamKey, at time: Timestamp, _ first: Double, _ second: Double) {
    let place = add(stream, at: time, width: 2)
    valueStore[place] = first
    valueStore[place + 1] = second
  }

  /// Adds a sample with three values.
  public mutating func append(_ stream: StreamKey, at time: Timestamp, _ x: Double, _ y: Double, _ z: Double)
  {
    let place = add(stream, at: time, width: 3)
    valueStore[place] = x
    valueStore[place + 1] = y
    valueStore[place + 2] = z
  }

  /// Adds a sample with four values.
  public mutating func append(
    _ stream: StreamKey, at time: Timestamp, _ first: Double, _ second: Double, _ third: Double,
    _ fourth: Double
  ) {
    let place = add(stream, at: time, width: 4)
    valueStore[place] = first
    valueStore[place + 1] = second
    valueStore[place + 2] = third
    valueStore[place + 3] = fourth
  }

  /// Adds samples of three values that lie in `vectors` as signed 16-bit numbers, little-endian, one behind the other;
  /// the first was measured at `first`, each further one `period` nanoseconds later. Rests shorter than a sample are
  /// left out.
  public mutating func append(
    _ stream: StreamKey, at first: Timestamp, every period: Int64, vectors: RawSpan, scale: Double
  ) {
    let count = vectors.byteCount / 6
    let (entry, value) = makeRoom(entries: count, values: 3 &* count)
    // Unchecked, which makes it a seventh faster: all of it lies in `vectors`, and there is room.
    var values = valueStore.mutableSpan
    for index in 0..<3 &* count {
      let raw = vectors.unsafeLoadUnaligned(fromUncheckedByteOffset: 2 &* index, as: Int16.self)
      values[unchecked: value &+ index] = Double(Int16(littleEndian: raw)) * scale
    }
    var entries = entryStore.mutableSpan
    for index in 0..<count {
      let place = value &+ 3 &* index
      let time = Timestamp(nanoseconds: first.nanoseconds &+ Int64(index) &* period)
      entries[unchecked: entry &+ index] = Entry(
        stream: stream, time: time, values: Range(uncheckedBounds: (place, place &+ 3)))
    }
  }

  /// Adds a sample with any number of values.
  public mutating func append(_ stream: StreamKey, at time: Timestamp, _ sample: [Double]) {
    let place = add(stream, at: time, width: sample.count)
    for index in sample.indices { valueStore[place + index] = sample[index] }
  }

  /// Empties the buffer and keeps its memory.
  public mutating func removeAll() { (entryCount, valueCount) = (0, 0) }

  /// Adds a sample whose values are still to be written, from the place that is returned.
  private mutating func add(_ stream: StreamKey, at time: Timestamp, width: Int) -> Int {
    let (entry, value) = makeRoom(entries: 1, values: width)
    entryStore[entry] = Entry(stream: stream, time: time, values: value..<value + width)
    return value
  }

  /// Takes places, of which the first ones are returned.
  private mutating func makeRoom(entries: Int, values: Int) -> (entry: Int, value: Int) {
    let first = (entryCount, valueCount)
    entryCount += entries
    valueCount += values
    if entryStore.count < entryCount || valueStore.count < valueCount { grow() }
    return first
  }

  /// Apart, because hardly any packet comes here.
  @inline(never)
  private mutating func grow() {
    while entryStore.count < entryCount {
      entryStore.append(Entry(stream: StreamKey(0), time: Timestamp(nanoseconds: 0), values: 0..<0))
    }
    while valueStore.count < valueCount { valueStore.append(0) }
  }
}
