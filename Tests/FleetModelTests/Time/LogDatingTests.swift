import FleetModel
import Testing

@Suite struct LogDatingTests {
  private static let start = Timestamp(milliseconds: 1_763_671_000_000)

  /// Samples of one session with their true times, and the looks at the clock.
  private struct Log {
    var samples: [(clock: BoardTick, time: Timestamp)] = []
    var anchors: [ClockAnchor] = []

    func dates(
      resetID: Int = 0, isFound: Bool = false, from start: Timestamp = LogDatingTests.start
    ) -> [LogDating.Stamp] {
      let history = BoardHistory(anchors, timing: SimulatedCrystal.timing)
      let tick = isFound ? nil : anchors.first?.reading.clock.tick
      var scan = LogBootScan(from: resetID, resetIDs: 8)
      for sample in samples { scan.take(TickEntry(sample.clock)) }
      scan.judgePending(isOver: true)
      let runs = scan.runs
      var dating = LogDating(runs, of: history, boot: 1, tick: tick, started: start)
      return samples.enumerated().map { index, sample in
        let run = max(0, (runs.firstIndex { $0.start > index } ?? runs.count) - 1)
        return scan.state.doubtful.contains(index)
          ? dating.doubtful(inRun: run) : dating.date(sample.clock, inRun: run)
      }
    }

    /// How many true times lie outside what is stated.
    func liesOf(_ dates: [LogDating.Stamp]) -> Int {
      zip(samples, dates).count { sample, date in
        guard let error = date.error else { return false }
        return max(sample.time - date.time, date.time - sample.time) > error
      }
    }
  }

  private static func isInOrder(_ dates: [LogDating.Stamp]) -> Bool {
    zip(dates, dates.dropFirst()).allSatisfy { $0.time <= $1.time }
  }

  @Test func `F46 the true error is inside the stated one, for crystals to 40 ppm and links to 100 ms`() {
    var generator = SystemRandomNumberGenerator()
    let seed = generator.next()
    var (samples, lies, known) = (0, 0, 0)
    for board in 0..<200 {
      var random = SeededGenerator(seed: seed &+ UInt64(board))
      var crystal = SimulatedCrystal(at: Self.start, boardSeconds: 1e6 * random.fraction())
      var log = Log()
      log.anchors.append(crystal.look(jitter: 0.1, using: &random))
      let visits = Int.random(in: 1...6, using: &random)
      for _ in 0..<visits {
        let samples = Int.random(in: 10...200, using: &random)
        let period = Double.random(in: 1...600, using: &random)
        for _ in 0..<samples {
          // The temperature changes now and then, to anywhere.
          if random.fraction() < 0.05 { crystal.rate = (2 * random.fraction() - 1) * 40e-6 }
          crystal.pass(period)
          log.samples.append((crystal.clock, crystal.now))
        }
        log.anchors.append(crystal.look(jitter: 0.1, using: &random))
      }
      let dates = log.dates()
      #expect(Self.isInOrder(dates), "seed \(seed), board \(board)")
      samples += dates.count
      known += dates.count { $0.error != nil }
      lies += log.liesOf(dates)
    }
    #expect(known == samples)
    #expect(Double(lies) <= 0.001 * Double(samples), "seed \(seed): \(lies) of \(samples)")
  }

  @Test
  func
    `F46 a crystal off by 100 ppm with temperature steps is right to 50 ms at contacts, and honest between`()
  {
    var random = SeededGenerator(seed: 46)
    for _ in 0..<50 {
      var crystal = SimulatedCrystal(at: Self.start)
      var log = Log()
      var contacts: [Int] = []
      for visit in 0..<10 {
        for _ in 0..<60 {
          if visit > 0, random.fraction() < 0.1 {
            crystal.rate = 100e-6 + (2 * random.fraction() - 1) * 40e-6
          }
          crystal.pass(visit == 0 ? 0.01 : 60)
          log.samples.append((crystal.clock, crystal.now))
        }
        contacts.append(log.samples.count - 1)
        log.anchors.append(crystal.look(jitter: 0.02, using: &random))
      }
      let dates = log.dates()
      #expect(log.liesOf(dates) == 0)
      for contact in contacts {
        let (date, truth) = (dates[contact], log.samples[contact].time)
        #expect(max(date.time - truth, truth - date.time) <= .milliseconds(50))
        #expect((date.error ?? .seconds(1)) <= .milliseconds(50))
      }
    }
  }

  @Test func `F43 a hundred days go on through the wrap of the ticks`() {
    var random = SeededGenerator(seed: 43)
    // Begins twenty days before the wrap at 72.8 days, and sees another one.
    var crystal = SimulatedCrystal(at: Self.start, boardSeconds: 52.8 * 86_400)
    crystal.rate = 20e-6
    var log = Log()
    log.anchors.append(crystal.look(jitter: 0.05, using: &random))
    for _ in 0..<100 {
      for _ in 0..<24 {
        crystal.pass(3_600)
        log.samples.append((crystal.clock, crystal.now))
      }
    }
    log.anchors.append(crystal.look(jitter: 0.05, using: &random))
    let dates = log.dates()
    #expect(dates.count == 2_400)
    #expect(Self.isInOrder(dates))
    #expect(dates.allSatisfy { $0.error != nil && $0.boot == 1 })
    #expect(log.liesOf(dates) == 0)
  }

  @Test func `F43 a log that wrapped before anybody looked is dated from its end`() {
    var random = SeededGenerator(seed: 44)
    var crystal = SimulatedCrystal(at: Self.start, boardSeconds: 60 * 86_400)
    var log = Log()
    for _ in 0..<20 {
      crystal.pass(86_400)
      log.samples.append((crystal.clock, crystal.now))
    }
    log.anchors.append(crystal.look(jitter: 0.05, using: &random))
    let dates = log.dates(isFound: true, from: crystal.now)
    #expect(log.liesOf(dates) == 0)
    #expect(dates.allSatisfy { $0.error != nil })
  }

  @Test func `F43 the first days of a long log are dated though its end was not read yet`() {
    var random = SeededGenerator(seed: 50)
    var crystal = SimulatedCrystal(at: Self.start)
    var log = Log()
    log.anchors.append(crystal.look(jitter: 0.05, using: &random))
    for _ in 0..<10 {
      crystal.pass(86_400)
      log.samples.append((crystal.clock, crystal.now))
    }
    crystal.pass(90 * 86_400)
    log.anchors.append(crystal.look(jitter: 0.05, using: &random))
    let dates = log.dates()
    #expect(log.liesOf(dates) == 0)
    #expect(dates.allSatisfy { $0.error != nil })
  }

  @Test func `F45 samples on one tick share their stamp`() {
    var random = SeededGenerator(seed: 45)
    var crystal = SimulatedCrystal(at: Self.start)
    var log = Log()
    for _ in 0..<3 {
      crystal.pass(1)
      for _ in 0..<2 { log.samples.append((crystal.clock, crystal.now)) }
    }
    log.anchors.append(crystal.look(jitter: 0.05, using: &random))
    let dates = log.dates(isFound: true, from: crystal.now)
    #expect(dates.count == 6)
    #expect(dates[0] == dates[1])
    #expect(dates[1].time < dates[2].time)
  }

  @Test func `F39 F44 a run in which nobody looked is in its place, and its time is a guess`() {
    var random = SeededGenerator(seed: 39)
    var crystal = SimulatedCrystal(at: Self.start, resetID: 6)
    var log = Log()
    log.anchors.append(crystal.look(jitter: 0.05, using: &random))
    // Two resets: one run that nobody saw, and the one that it is read out in.
    for _ in 0..<3 {
      for _ in 0..<10 {
        crystal.pass(60)
        log.samples.append((crystal.clock, crystal.now))
      }
      if log.samples.count < 30 { crystal.reset() }
    }
    log.anchors.append(crystal.look(boot: 3, jitter: 0.05, using: &random))
    let dates = log.dates(resetID: 6)
    #expect(Self.isInOrder(dates))
    #expect(log.liesOf(dates) == 0)
    #expect(dates.map { $0.error != nil } == (0..<30).map { !(10..<20).contains($0) })
    #expect(dates.map(\.boot) == (0..<30).map { 1 + $0 / 10 })
    #expect(dates[19].time <= dates[20].time)
  }

  @Test
  func `F44 more than eight resets between two visits: order kept, time unknown where it cannot be told`() {
    var random = SeededGenerator(seed: 8)
    var crystal = SimulatedCrystal(at: Self.start, resetID: 3)
    var log = Log()
    log.anchors.append(crystal.look(jitter: 0.05, using: &random))
    for run in 0..<11 {
      if run > 0 { crystal.reset() }
      for _ in 0..<5 {
        crystal.pass(60)
        log.samples.append((crystal.clock, crystal.now))
      }
    }
    log.anchors.append(crystal.look(boot: 2, jitter: 0.05, using: &random))
    let history = BoardHistory(log.anchors, timing: SimulatedCrystal.timing)
    let runs = LogBootScan.runs(log.samples.map(\.clock), from: 3)
    #expect(runs.count == 11)
    #expect(BootMatching(runs, of: history, boot: 1, tick: nil).isAmbiguous)
    let dates = log.dates(resetID: 3)
    #expect(Self.isInOrder(dates))
    #expect(log.liesOf(dates) == 0)
    // The second reset after the session began has the number of the run in which it was read out: no proof.
    #expect(dates[5..<50].allSatisfy { $0.error == nil })
    #expect(dates[..<5].allSatisfy { $0.error != nil })
    #expect(dates[50...].allSatisfy { $0.error != nil })
  }

  @Test func `F47 while the host's clock is not set all times are guesses, in order`() {
    var random = SeededGenerator(seed: 47)
    var crystal = SimulatedCrystal(at: Timestamp(milliseconds: 5_000))
    var log = Log()
    log.anchors.append(crystal.look(jitter: 0.05, isHostTimeKnown: false, using: &random))
    for _ in 0..<20 {
      crystal.pass(60)
      log.samples.append((crystal.clock, crystal.now))
    }
    log.anchors.append(crystal.look(jitter: 0.05, isHostTimeKnown: false, using: &random))
    let dates = log.dates(from: Timestamp(milliseconds: 5_000))
    #expect(dates.allSatisfy { $0.error == nil })
    #expect(Self.isInOrder(dates))
  }

  @Test(
    arguments: [-3_600, 3_600, -1_763_671_000])
  func `F47 a later good reference corrects what an earlier wrong one said`(off: Int) {
    var random = SeededGenerator(seed: 48)
    var crystal = SimulatedCrystal(at: Self.start)
    var log = Log()
    log.anchors.append(crystal.look(jitter: 0.05, hostIsOff: .seconds(off), using: &random))
    for _ in 0..<60 {
      crystal.pass(60)
      log.samples.append((crystal.clock, crystal.now))
    }
    log.anchors.append(crystal.look(jitter: 0.05, using: &random))
    let dates = log.dates(from: Self.start + .seconds(off))
    #expect(log.liesOf(dates) == 0)
    #expect(dates.allSatisfy { $0.error != nil })
  }

  @Test(
    arguments: [600.0, 7_200, -600, -7_200], [1.0, 3_600])
  func `F154 a clock that jumps without a reset is dated by the looks on each side`(
    by seconds: Double, period: Double
  ) {
    var random = SeededGenerator(seed: 154)
    var crystal = SimulatedCrystal(at: Self.start, boardSeconds: 400_000)
    crystal.rate = 25e-6
    var log = Log()
    log.anchors.append(crystal.look(jitter: 0.05, using: &random))
    for number in 0..<400 {
      if number == 150 { crystal.jump(seconds) }
      crystal.pass(period)
      log.samples.append((crystal.clock, crystal.now))
    }
    log.anchors.append(crystal.look(jitter: 0.05, using: &random))
    let history = BoardHistory(log.anchors, timing: SimulatedCrystal.timing)
    #expect(history.runs.count == 2)
    let dates = log.dates()
    #expect(Self.isInOrder(dates))
    #expect(log.liesOf(dates) == 0)
    // Where no other entry is near the jump, the one at it may contradict its neighbours.
    #expect(dates.count { $0.error == nil } <= (period == 1 ? 0 : 1) && dates.allSatisfy { $0.boot == 1 })
    // Where the log shows the jump all are as good as without one, by a crystal that nobody has measured; where it does
    // not they say so.
    if period == 1 || seconds > period {
      #expect(dates.allSatisfy { ($0.error ?? .zero) < .milliseconds(500) + .seconds(period * 0.1) })
    }
    // None is later than the look, but for what is stated.
    #expect(dates.allSatisfy { $0.time <= crystal.now + .seconds(1) })
  }

  @Test func `F154 a session that began behind a jump back is not taken for one before it`() throws {
    var random = SeededGenerator(seed: 156)
    var crystal = SimulatedCrystal(at: Self.start, boardSeconds: 400_000)
    var log = Log()
    log.anchors.append(crystal.look(jitter: 0.01, using: &random))
    crystal.pass(100)
    crystal.jump(-171)
    log.anchors.append(crystal.look(jitter: 0.01, using: &random))
    let (tick, begin) = (crystal.clock.tick, crystal.now)
    for _ in 0..<50 {
      crystal.pass(1)
      log.samples.append((crystal.clock, crystal.now))
    }
    log.anchors.append(crystal.look(jitter: 0.01, using: &random))
    let history = BoardHistory(log.anchors, timing: SimulatedCrystal.timing)
    let runs = LogBootScan.runs(log.samples.map(\.clock), from: 0)
    var dating = LogDating(runs, of: history, boot: 1, tick: tick, started: begin)
    let dates = log.samples.map { dating.date($0.clock, inRun: 0) }
    #expect(log.liesOf(dates) == 0 && dates.allSatisfy { ($0.error ?? .seconds(9)) < .milliseconds(200) })
  }

  @Test func `F154 what a host's clock, a reset or a slow crystal does is no jump of the board's`() throws {
    var random = SeededGenerator(seed: 155)
    func jump(
      _ edit: (inout SimulatedCrystal) -> Void, hostIsOff off: Duration = .zero, boot: Int = 1,
      uptime: Duration? = nil
    )
      -> Duration?
    {
      var crystal = SimulatedCrystal(at: Self.start, boardSeconds: 9_000)
      let first = crystal.look(jitter: 0.05, using: &random)
      crystal.rate = 90e-6
      crystal.pass(86_400)
      edit(&crystal)
      var second = crystal.look(boot: boot, jitter: 0.05, hostIsOff: off, using: &random)
      if let uptime { second.reading.uptime = uptime }
      return ClockJump.duration(from: first, to: second, SimulatedCrystal.timing)
    }
    #expect(jump { _ in } == nil)
    #expect(jump({ _ in }, hostIsOff: .seconds(3_600)) == nil)
    // The gateway was started anew: its monotonic time began somewhere else.
    #expect(jump({ _ in }, uptime: .seconds(20_000)) == nil)
    #expect(jump({ $0.reset() }, boot: 2) == nil)
    let ahead = try #require(jump { $0.jump(1_800) })
    #expect(abs(ahead.inSeconds - 1_800) < 10)
    let back = try #require(jump { $0.jump(-95) })
    #expect(abs(back.inSeconds + 95) < 10)
  }

  @Test func `F47 what is published stays: later stamps are held back, and say so`() {
    var random = SeededGenerator(seed: 49)
    var crystal = SimulatedCrystal(at: Self.start)
    var anchors = [crystal.look(jitter: 0.05, hostIsOff: .seconds(3_600), using: &random)]
    var clocks: [BoardTick] = []
    for _ in 0..<20 {
      crystal.pass(60)
      clocks.append(crystal.clock)
    }
    var early = LogDating(
      LogBootScan.runs(clocks, from: 0), of: BoardHistory(anchors, timing: SimulatedCrystal.timing), boot: 1,
      tick: anchors[0].reading.clock.tick, started: Self.start)
    let published = clocks.prefix(10).map { early.date($0) }
    anchors.append(crystal.look(jitter: 0.05, using: &random))
    var later = LogDating(
      LogBootScan.runs(clocks, from: 0), of: BoardHistory(anchors, timing: SimulatedCrystal.timing), boot: 1,
      tick: anchors[0].reading.clock.tick, started: Self.start, from: early.place)
    let rest = clocks.suffix(10).map { later.date($0) }
    #expect(Self.isInOrder(published + rest))
    #expect(rest.allSatisfy { ($0.error ?? .zero) > .seconds(1_800) })
  }
}
