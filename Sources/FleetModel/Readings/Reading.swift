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
  }

  /// The samples, oldest first.
  public private(set) var entries: [Entry] = []
  /// The samples' values one after the other, each in the unit of its field.
  public private(set) var values: [Double] = []

  /// An empty buffer.
  public init() {}

  /// Adds a sample with one value.
  public mutating func append(_ stream: StreamKey, at time: Timestamp, _ value: Double) {
    let start = values.count
    values.append(value)
    entries.append(Entry(stream: stream, time: time, values: start..<values.count))
  }

  /// Adds a sample with two values.
  public mutating func append(_ stream: StreamKey, at time: Timestamp, _ first: Double, _ second: Double) {
    let start = values.count
    values.append(first)
    values.append(second)
    entries.append(Entry(stream: stream, time: time, values: start..<values.count))
  }

  /// Adds a sample with three values.
  public mutating func append(_ stream: StreamKey, at time: Timestamp, _ x: Double, _ y: Double, _ z: Double)
  {
    let start = values.count
    // At once: three times fewer looks at whether there is room.
    values.append(addingCapacity: 3) { room in
      room.append(x)
      room.append(y)
      room.append(z)
    }
    entries.append(Entry(stream: stream, time: time, values: start..<values.count))
  }

  /// Adds a sample with four values.
  public mutating func append(
    _ stream: StreamKey, at time: Timestamp, _ first: Double, _ second: Double, _ third: Double,
    _ fourth: Double
  ) {
    let start = values.count
    values.append(addingCapacity: 4) { room in
      room.append(first)
      room.append(second)
      room.append(third)
      room.append(fourth)
    }
    entries.append(Entry(stream: stream, time: time, values: start..<values.count))
  }

  /// Adds samples of three values that lie in `vectors` as signed 16-bit numbers, little-endian, one behind the other; the
  /// first was measured at `first`, each further one `period` nanoseconds later. Rests shorter than a sample are left out.
  public mutating func append(
    _ stream: StreamKey, at first: Timestamp, every period: Int64, vectors: RawSpan, scale: Double
  ) {
    let count = vectors.byteCount / 6
    let start = values.count
    // Two looks at whether there is room, not two per sample.
    values.append(addingCapacity: 3 * count) { room in
      for index in 0..<3 * count {
        let raw = vectors.unsafeLoadUnaligned(fromByteOffset: 2 &* index, as: Int16.self)
        room.append(Double(Int16(littleEndian: raw)) * scale)
      }
    }
    entries.append(addingCapacity: count) { room in
      for index in 0..<count {
        let place = start &+ 3 &* index
        let time = Timestamp(nanoseconds: first.nanoseconds &+ Int64(index) &* period)
        room.append(Entry(stream: stream, time: time, values: place..<place &+ 3))
      }
    }
  }

  /// Adds a sample with any number of values.
  public mutating func append(_ stream: StreamKey, at time: Timestamp, _ sample: [Double]) {
    let start = values.count
    values.append(contentsOf: sample)
    entries.append(Entry(stream: stream, time: time, values: start..<values.count))
  }

  /// Empties the buffer and keeps its memory.
  public mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }
}
