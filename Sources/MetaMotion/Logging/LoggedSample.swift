/// How one sample lies in the bytes that loggers wrote down: a layout taken apart once, so that samples can be read
/// without asking what they are.
///
/// A packer puts several samples into one notification; each is one of these then.
struct LoggedSample: Hashable, Sendable {
  /// One number in the bytes.
  struct Number: Hashable, Sendable {
    /// Of its first byte.
    let offset: Int
    /// Bytes, 1–4.
    let width: Int
    let isSigned, isFloat: Bool
    /// Whether its highest byte comes first.
    var isBigEndian = false
    /// Whether anything but 0 counts as 1.
    var isFlag = false
    /// Of one count.
    let unit: Double
  }

  /// What is told of it, first to last.
  var values: [Number] = []
  /// The log's tick that an accounter put in front.
  var tick: Number?
  /// An accounter's running number: a value like others, in front of them.
  private var number: Number?

  /// The samples of one notification in order. `flags` are the places of values that are no more than on or off.
  static func all(in layout: SampleLayout, flags: Set<Int> = []) -> [LoggedSample] {
    var offset = 0
    return read(layout, &offset).map { sample in
      var sample = sample
      if let number = sample.number { sample.values.insert(number, at: 0) }
      for place in flags where sample.values.indices.contains(place) { sample.values[place].isFlag = true }
      return sample
    }
  }

  /// Walks a layout as `SampleLayout.samples` does.
  private static func read(_ layout: SampleLayout, _ offset: inout Int) -> [LoggedSample] {
    switch layout {
    case .numbers(let numbers):
      let first = offset
      offset += numbers.byteCount
      let values = (0..<numbers.channels).map { channel in
        Number(
          offset: first + channel * numbers.width, width: numbers.width, isSigned: numbers.isSigned,
          isFloat: numbers.isFloat, isBigEndian: numbers.isBigEndian, unit: 1 / numbers.scale)
      }
      return [LoggedSample(values: values)]
    case .record(let parts):
      var joined = LoggedSample()
      for part in parts {
        for sample in read(part, &offset) {
          joined.values += sample.values
          joined.tick = joined.tick ?? sample.tick
          joined.number = joined.number ?? sample.number
        }
      }
      return [joined]
    case .prefixed(let prefix, let inner):
      let value = Number(offset: offset, width: prefix.width, isSigned: false, isFloat: false, unit: 1)
      offset += prefix.width
      return read(inner, &offset).map { sample in
        var sample = sample
        switch prefix.kind {
        case .tick: sample.tick = value
        case .number: sample.number = value
        }
        return sample
      }
    case .packed(let count, let inner):
      var all: [LoggedSample] = []
      for _ in 0..<count { all += read(inner, &offset) }
      return all
    }
  }
}
