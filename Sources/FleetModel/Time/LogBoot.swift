/// A stretch of a log in which the board was not reset, as its entries tell.
public struct LogBoot: Hashable, Sendable {
  /// What ticks are counted modulo.
  static let wrap: Int64 = 1 << 32
  /// Ticks that an entry may lie behind the one before it: two loggers' entries need not come in order (a minute).
  static let disorder: Int32 = 40_960

  /// The board's number of the reset.
  public var resetID: Int
  /// Resets since the run before in the log, or since the session began; 0: the same run.
  public var resets: Int
  /// The first entry's tick.
  public var first: UInt32
  /// Ticks that its entries span, counted on beyond 2³².
  public var extent: Int64
  /// Number of its first entry in the log.
  public var start: Int
  /// The longest time between two of its entries, in ticks, and where that ended, counted on beyond 2³².
  public var leap: Int64 = 0, leapEnd: Int64 = 0
  /// The longest time but that one.
  public var secondLeap: Int64 = 0

  /// Describes a run.
  public init(resetID: Int, resets: Int, first: UInt32, extent: Int64 = 0, start: Int = 0) {
    (self.resetID, self.resets, self.first, self.extent) = (resetID, resets, first, extent)
    self.start = start
  }

  /// Where its last tick is.
  var last: Int64 { Int64(first) + extent }

  /// The ticks from a place to another tick; nil if that is no later one of the same run.
  static func step(from place: Int64, to tick: UInt32) -> Int64? {
    let step = signed(from: place, to: tick)
    return step < Int64(-disorder) ? nil : step
  }

  /// The ticks from a place to another tick, forwards or back, whichever is nearer.
  static func signed(from place: Int64, to tick: UInt32) -> Int64 {
    Int64(Int32(bitPattern: tick &- UInt32(truncatingIfNeeded: place)))
  }

  /// Goes on to a later tick.
  mutating func goOn(to tick: Int64) {
    let step = tick - last
    guard step > 0 else { return }
    extent += step
    if step > leap {
      (secondLeap, leap, leapEnd) = (leap, step, tick)
    } else {
      secondLeap = max(secondLeap, step)
    }
  }
}
