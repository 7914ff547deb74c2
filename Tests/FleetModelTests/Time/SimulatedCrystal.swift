import FleetModel

/// A board's clock in virtual time: a crystal whose rate goes in steps, and a host that looks at it over a jittery
/// link.
struct SimulatedCrystal {
  static let timing = BoardTiming(nanoseconds: 48_000_000_000, perTicks: 32_768, resetIDs: 8)

  /// What the board's clock is at, in its own seconds since the reset.
  private(set) var boardSeconds = 0.0
  private(set) var now: Timestamp
  /// Of the host, which is as old as the crystal.
  private var uptime = Duration.zero
  private(set) var resetID: Int
  /// How fast it is, as a fraction.
  var rate = 0.0

  init(at now: Timestamp, resetID: Int = 0, boardSeconds: Double = 0) {
    (self.now, self.resetID, self.boardSeconds) = (now, resetID, boardSeconds)
  }

  mutating func pass(_ seconds: Double) {
    now = now + .nanoseconds(Int64(seconds * 1e9))
    uptime += .nanoseconds(Int64(seconds * 1e9))
    boardSeconds += seconds * (1 + rate)
  }

  /// The board's clock is suddenly at another time, without a reset.
  mutating func jump(_ seconds: Double) { boardSeconds += seconds }

  mutating func reset() { (resetID, boardSeconds) = ((resetID + 1) % 8, 0) }

  var clock: BoardTick {
    BoardTick(resetID: resetID, tick: UInt32(truncatingIfNeeded: Int64(boardSeconds * 32_768 / 48)))
  }

  /// A look at the clock: the board's answer comes from anywhere between question and answer.
  func look(
    boot: Int = 1, jitter: Double, isHostTimeKnown: Bool = true, hostIsOff off: Duration = .zero,
    using random: inout SeededGenerator
  ) -> ClockAnchor {
    let error = jitter * random.fraction()
    let host = now + .nanoseconds(Int64((2 * random.fraction() - 1) * error * 1e9)) + off
    let reading = ClockReading(
      clock: clock, time: host, error: .nanoseconds(Int64(error * 1e9) + 1), uptime: uptime)
    return ClockAnchor(reading, boot: boot, isHostTimeKnown: isHostTimeKnown)
  }
}

extension LogBootScan {
  /// The runs of a log.
  static func runs(_ clocks: some Sequence<BoardTick>, from resetID: Int) -> [LogBoot] {
    var scan = LogBootScan(from: resetID, resetIDs: 8)
    for clock in clocks { scan.take(TickEntry(clock)) }
    scan.judgePending(isOver: true)
    return scan.runs
  }
}
