import BoardKit

/// How the bytes of a signal are put together, whatever processors did to it (protocol reference, section 14.3).
indirect enum SampleLayout: Hashable, Sendable {
  /// What an accounter puts in front.
  struct Prefix: Hashable, Sendable {
    /// The log's tick, or a running number.
    enum Kind: UInt8, Sendable { case number = 0, tick = 1 }
    var kind: Kind
    /// Bytes, 1–4.
    var width: Int
  }

  case numbers(Numbers)
  /// Unlike parts, one behind the other: battery states, vectors with an accuracy, what a fuser joins.
  case record([SampleLayout])
  /// Behind an accounter.
  case prefixed(Prefix, SampleLayout)
  /// Behind a packer: several samples of the same layout.
  case packed(Int, SampleLayout)

  /// One sample as it came out.
  struct Sample: Hashable, Sendable {
    var values: [Double]
    /// The log's tick when it was taken.
    var tick: UInt32?
    /// Its running number.
    var number: UInt32?

    /// What is published of it: the number is a value like others, the tick is its stamp.
    var published: [Double] { (number.map { [Double($0)] } ?? []) + values }
  }

  /// Bytes in one notification.
  var byteCount: Int {
    switch self {
    case .numbers(let numbers): numbers.byteCount
    case .record(let parts): parts.reduce(0) { $0 + $1.byteCount }
    case .prefixed(let prefix, let inner): prefix.width + inner.byteCount
    case .packed(let count, let inner): count * inner.byteCount
    }
  }

  /// Bytes of one element, which is what consumers of a packer are told (vectors `accounter-count-and-time`).
  var elementLength: Int {
    switch self {
    case .packed(_, let inner): inner.elementLength
    case .prefixed(let prefix, let inner): prefix.width + inner.elementLength
    case .numbers, .record: byteCount
    }
  }

  /// The equal numbers it consists of; nil for records.
  var numbers: Numbers? {
    switch self {
    case .numbers(let numbers): numbers
    case .record: nil
    case .prefixed(_, let inner), .packed(_, let inner): inner.numbers
    }
  }

  /// Whether samples carry the log's tick.
  var hasTick: Bool {
    switch self {
    case .numbers: false
    case .record(let parts): parts.contains(where: \.hasTick)
    case .prefixed(let prefix, let inner): prefix.kind == .tick || inner.hasTick
    case .packed(_, let inner): inner.hasTick
    }
  }

  /// Whether there are numbers in it whose highest byte comes first.
  var hasBigEndian: Bool {
    switch self {
    case .numbers(let numbers): numbers.isBigEndian
    case .record(let parts): parts.contains(where: \.hasBigEndian)
    case .prefixed(_, let inner), .packed(_, let inner): inner.hasBigEndian
    }
  }

  /// Takes a notification's bytes apart; nil when they are too few.
  func samples(in bytes: [UInt8]) -> [Sample]? {
    var offset = 0
    return read(bytes, &offset)
  }

  private func read(_ bytes: [UInt8], _ offset: inout Int) -> [Sample]? {
    switch self {
    case .numbers(let numbers):
      guard let values = numbers.values(in: bytes, at: offset) else { return nil }
      offset += numbers.byteCount
      return [Sample(values: values)]
    case .record(let parts):
      var joined = Sample(values: [])
      for part in parts {
        guard let samples = part.read(bytes, &offset) else { return nil }
        for sample in samples {
          joined.values += sample.values
          joined.tick = joined.tick ?? sample.tick
          joined.number = joined.number ?? sample.number
        }
      }
      return [joined]
    case .prefixed(let prefix, let inner):
      guard let value = Numbers.plain(prefix.width).values(in: bytes, at: offset)?.first else { return nil }
      offset += prefix.width
      return inner.read(bytes, &offset)?.map { sample in
        var sample = sample
        switch prefix.kind {
        case .tick: sample.tick = UInt32(value)
        case .number: sample.number = UInt32(value)
        }
        return sample
      }
    case .packed(let count, let inner):
      var all: [Sample] = []
      for _ in 0..<count {
        guard let samples = inner.read(bytes, &offset) else { return nil }
        all += samples
      }
      return all
    }
  }
}
