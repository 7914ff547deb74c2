/// Time as a board tells it: ticks since a reset, and the board's own number of that reset. Both wrap.
public struct BoardTick: Hashable, Sendable {
  /// The board's number of the reset since which it counts.
  public var resetID: Int
  /// Ticks since then.
  public var tick: UInt32

  /// Tells a tick of one run of a board.
  public init(resetID: Int, tick: UInt32) { (self.resetID, self.tick) = (resetID, tick) }
}

/// How boards of a family count time.
public struct BoardTiming: Hashable, Sendable {
  /// `nanoseconds` pass in `ticks` ticks.
  public var nanoseconds: Int64
  /// See `nanoseconds`.
  public var ticks: Int64
  /// How many numbers resets have before these start anew.
  public var resetIDs: Int

  /// Describes a clock whose ticks wrap at 2³².
  public init(nanoseconds: Int64, perTicks ticks: Int64, resetIDs: Int) {
    (self.nanoseconds, self.ticks, self.resetIDs) = (nanoseconds, ticks, resetIDs)
  }
}

/// The board's clock as it was read once. The board looked at it between question and answer.
public struct ClockReading: Hashable, Sendable {
  /// What the board answered.
  public var clock: BoardTick
  /// Host time in the middle between question and answer.
  public var time: Timestamp
  /// Half the time between question and answer: how far `time` can be off.
  public var error: Duration
  /// The host's monotonic time then, since an arbitrary start; nil where nobody kept it. It tells whose clock went
  /// wrong.
  public var uptime: Duration?

  /// Takes a reading.
  public init(clock: BoardTick, time: Timestamp, error: Duration, uptime: Duration? = nil) {
    (self.clock, self.time, self.error, self.uptime) = (clock, time, error, uptime)
  }
}

/// A reading of a board's clock that is kept: where its runs lie in our time.
public struct ClockAnchor: Hashable, Sendable {
  /// What was read.
  public var reading: ClockReading
  /// Resets of the board as this fleet counted them then, from 1.
  public var boot: Int
  /// Whether the host's own clock was set by then; otherwise its time means nothing to others.
  public var isHostTimeKnown: Bool

  /// Keeps a reading.
  public init(_ reading: ClockReading, boot: Int, isHostTimeKnown: Bool) {
    (self.reading, self.boot, self.isHostTimeKnown) = (reading, boot, isHostTimeKnown)
  }
}
