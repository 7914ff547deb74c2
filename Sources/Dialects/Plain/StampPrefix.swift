import FleetModel

/// How every sample of a batch begins: the stamps of neighbours differ in their last digits only.
struct StampPrefix {
  /// The most bytes it writes.
  static let longest = 9 + NumberTail.longestNumber

  private static let microsecondsPerSecond: Int64 = 1_000_000
  private var second: Int64 = -1
  /// `{"ts_us":` and the digits of `second`.
  private var text = InlineArray<32, UInt8>(repeating: 0)
  private var length = 0

  /// Writes `{"ts_us":` and the stamp.
  mutating func write(_ microseconds: Int64, to tail: inout NumberTail) {
    let (second, fraction) = microseconds.quotientAndRemainder(dividingBy: Self.microsecondsPerSecond)
    guard second > 0 else {
      tail.raw("{\"ts_us\":")
      return tail.integer(microseconds)
    }
    if second != self.second { prepare(second) }
    tail.raw(text.span.extracting(first: length))
    tail.digits(UInt64(fraction), count: 6)
  }

  private mutating func prepare(_ second: Int64) {
    self.second = second
    var room = text.mutableSpan
    length = room.withUnsafeMutableBufferPointer { room in
      guard let start = room.baseAddress else { return 0 }
      var tail = NumberTail(at: start)
      tail.raw("{\"ts_us\":")
      tail.integer(second)
      return tail.end - start
    }
  }
}
