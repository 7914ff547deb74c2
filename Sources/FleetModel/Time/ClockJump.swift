/// A board's clock that jumped between two looks although the board was not reset (fault F154). Pure.
public enum ClockJump {
  /// How far a host's two clocks may part before neither proves anything: a second, and what time servers may slew.
  private static let hostSlack = (fixed: Duration.seconds(1), share: 500e-6)
  /// What no board's crystal explains: a second, and what the worst one may stray.
  private static let boardSlack = (fixed: Duration.seconds(1), share: 250e-6)

  /// By how many ticks the clock is off at `later` of what `earlier` and the time between say; positive: it jumped
  /// ahead. Nil where it goes on, or where it was the host's clock that jumped, or cannot be told.
  public static func ticks(from earlier: ClockAnchor, to later: ClockAnchor, _ timing: BoardTiming) -> Int64?
  {
    guard earlier.boot == later.boot, earlier.reading.clock.resetID == later.reading.clock.resetID,
      earlier.isTrusted, later.isTrusted, let first = earlier.reading.uptime,
      let second = later.reading.uptime
    else { return nil }
    let (passed, shown) = (second - first, later.reading.time - earlier.reading.time)
    guard passed >= .zero, isWithin(shown - passed, hostSlack, of: passed) else { return nil }
    let expected = timing.ticks(in: passed.wholeNanoseconds)
    let counted = later.reading.clock.tick &- earlier.reading.clock.tick
    let off = Int64(Int32(bitPattern: counted &- UInt32(truncatingIfNeeded: expected)))
    let slack = (boardSlack.fixed + earlier.reading.error + later.reading.error, boardSlack.share)
    return isWithin(.nanoseconds(timing.nanoseconds(in: off)), slack, of: passed) ? nil : off
  }

  /// The same as time.
  public static func duration(
    from earlier: ClockAnchor, to later: ClockAnchor, _ timing: BoardTiming
  ) -> Duration? {
    ticks(from: earlier, to: later, timing).map { .nanoseconds(timing.nanoseconds(in: $0)) }
  }

  private static func isWithin(
    _ deviation: Duration, _ slack: (fixed: Duration, share: Double), of span: Duration
  ) -> Bool {
    let most = slack.fixed + .nanoseconds(Int64(Double(span.wholeNanoseconds) * slack.share))
    return max(deviation, .zero - deviation) <= most
  }
}
