import BoardKit
import FleetModel
import Support
import Testing

@testable import Fleet

/// What becomes of a stream's samples when their packets come late, twice, or not at all.
@Suite struct SampleTimesTests {
  private func stream(
    every period: Duration? = .milliseconds(10), _ configuration: JSONObject = ["live_rate_hz": 0],
    behind last: Timestamp? = nil
  ) throws -> SessionStream {
    let active = ActiveStream(
      key: StreamKey(0), request: StreamRequest(name: "acceleration", configuration: configuration),
      period: period, isPolled: false)
    return try #require(
      SessionStream(
        active, board: .number(1), boot: 1, session: .seeded(1), limits: LaneLimits(), uptime: .zero,
        behind: last))
  }

  /// Three samples that are like no others.
  private func packet(_ number: Int) -> [[Double]] {
    (0..<3).map { [Double(number), Double($0), 1] }
  }

  /// Packets of three samples, 30 ms apart, with `change` to what arrives when; numbers may be missing or come twice.
  private func play(
    _ stream: SessionStream, _ arrivals: [(number: Int, milliseconds: Int64)]
  ) -> (batches: [SampleBatch], missed: [LostSamples]) {
    var (events, missed): ([FleetEvent], [LostSamples]) = ([], [])
    for (number, milliseconds) in arrivals {
      let uptime = Duration.milliseconds(milliseconds)
      missed += stream.take(of: packet(number), at: .at(milliseconds), uptime: uptime, into: &events)
    }
    missed += stream.finish(at: .seconds(1_000), into: &events)
    return (events.batches, missed)
  }

  private func times(_ batches: [SampleBatch]) -> [Timestamp] { batches.flatMap(\.times) }

  @Test func `F143 three packets that arrive together keep their distance`() throws {
    let arrivals = (0..<90).map { (number: $0, milliseconds: Int64(($0 / 3) * 90 + 90)) }
    let (batches, missed) = play(try stream(), arrivals)
    let times = times(batches)
    #expect(times.count == 270 && Set(times.map(\.microseconds)).count == 270 && missed.isEmpty)
    let steps = zip(times, times.dropFirst()).map { ($1 - $0).inSeconds }
    #expect(steps.allSatisfy { $0 > 0.008 && $0 < 0.012 })
  }

  @Test func `F144 the batch ends at a lost packet, and the sample behind it bears the gap`() throws {
    let arrivals = (0..<200).filter { $0 != 100 }.map { (number: $0, milliseconds: Int64($0 * 30)) }
    let (batches, missed) = play(try stream(), arrivals)
    let at = try #require(batches.firstIndex { $0.gapBefore != 0 })
    #expect(batches.map(\.gapBefore).reduce(0, +) == 3 && batches[at].gapBefore == 3)
    #expect(batches[at].values[0] == 101 && batches[at - 1].values[batches[at - 1].values.count - 3] == 99)
    #expect(missed.map(\.count) == [3])
    #expect(missed.first?.from == batches[at - 1].times.last && missed.first?.to == batches[at].times.first)
    let step = try #require(missed.first.map { ($0.to - $0.from).inSeconds })
    #expect(step > 0.038 && step < 0.042)
    // Nothing of what waited was left behind.
    #expect(batches.reduce(0) { $0 + $1.count } == 597)
  }

  @Test(arguments: [true, false])
  func `F148 what waits goes out when its time is over, and when the stream ends`(ends: Bool) throws {
    let stream = try stream()
    var events: [FleetEvent] = []
    for number in 0..<100 {
      let milliseconds = Int64(number * 30)
      stream.take(
        of: packet(number), at: .at(milliseconds), uptime: .milliseconds(milliseconds), into: &events)
    }
    #expect(stream.takeDue() != nil)
    stream.flush(at: .milliseconds(2_970), force: true, board: .number(1), into: &events)
    stream.take(of: packet(120), at: .at(3_600), uptime: .milliseconds(3_600), into: &events)
    #expect(events.batches.reduce(0) { $0 + $1.count } == 300)
    let due = try #require(stream.takeDue())
    #expect(due > .milliseconds(3_600) && due <= .seconds(9))
    #expect(stream.takeDue() == nil, "once")
    stream.flush(at: ends ? .milliseconds(3_601) : due, force: ends, board: .number(1), into: &events)
    if !ends {
      let again = try #require(stream.takeDue(), "its batch is open now")
      stream.flush(at: again, force: false, board: .number(1), into: &events)
    }
    #expect(events.batches.last?.count == 3 && events.batches.last?.gapBefore == 60)
    #expect(stream.takeMissed().map(\.count) == [60])
  }

  @Test func `F147 a packet that comes twice is left out the second time, and counted`() throws {
    let arrivals = (0..<400).flatMap { number -> [(number: Int, milliseconds: Int64)] in
      let one = (number: number, milliseconds: Int64(number * 30))
      // Also the last one, with nothing behind it that tells.
      return number > 15 && number % 20 == 0 || number == 399 ? [one, (number, one.milliseconds + 2)] : [one]
    }
    let stream = try stream()
    let (batches, missed) = play(stream, arrivals)
    #expect(stream.counts == SampleRateMonitor.Counts(came: 1_200, lost: 0, doubled: 20))
    #expect(batches.reduce(0) { $0 + $1.count } == 1_200 && missed.isEmpty)
    #expect(batches.allSatisfy { $0.gapBefore == 0 })
  }

  @Test(
    arguments: [true, false])
  func `F147 within a clump a packet that comes twice is told by its values, and none is where all are alike`(
    differs: Bool
  ) throws {
    let arrivals = (0..<400).flatMap { number -> [(number: Int, milliseconds: Int64)] in
      let one = (number: differs ? number : 7, milliseconds: Int64((number / 5 + 1) * 150))
      return differs && number > 100 && number % 40 == 0 ? [one, one] : [one]
    }
    let stream = try stream()
    let (batches, _) = play(stream, arrivals)
    #expect(stream.counts.doubled == (differs ? 7 : 0))
    #expect(batches.reduce(0) { $0 + $1.count } == 1_200)
  }

  @Test func `F147 a packet that comes again when the next one is nearly due leaves no time for that one`()
    throws
  {
    let seed: UInt64 = 20_261_126
    var random = SeededGenerator(seed: seed)
    let arrivals = (0..<2_000).flatMap { number -> [(number: Int, milliseconds: Int64)] in
      let (comesAgain, jitter) = (
        number > 60 && Int.random(in: 0..<10, using: &random) == 0, Int64.random(in: 0...2, using: &random)
      )
      let one = (number: number, milliseconds: Int64(number * 30) + jitter)
      let again = Int64.random(in: 0..<27, using: &random)
      return comesAgain ? [one, (number, one.milliseconds + again)] : [one]
    }
    let stream = try stream()
    let (batches, missed) = play(stream, arrivals)
    #expect(
      stream.counts == SampleRateMonitor.Counts(came: 6_000, lost: 0, doubled: arrivals.count - 2_000),
      "seed \(seed)"
    )
    #expect(batches.reduce(0) { $0 + $1.count } == 6_000 && missed.isEmpty)
    let times = times(batches)
    let steps = zip(times, times.dropFirst()).dropFirst(300).map { ($1 - $0).inSeconds }
    #expect(steps.allSatisfy { $0 > 0.008 && $0 < 0.012 })
  }

  @Test(arguments: 1...UInt64(40))
  func
    `F147 from a stream's first second on a packet that comes twice is left out, whatever a host holds back`(
      seed: UInt64
    ) throws
  {
    var random = SeededGenerator(seed: seed)
    var arrivals: [(number: Int, milliseconds: Int64)] = []
    // In the end of what the host holds back now and then all of it comes at once.
    var (free, latest, copies) = (Int64(0), Int64(0), 0)
    func arrive(_ number: Int, _ milliseconds: Int64) {
      latest = max(latest, free, milliseconds)
      arrivals.append((number, latest))
    }
    for number in 0..<600 {
      let (sent, isHeld) = (Int64(number * 30), Int.random(in: 0..<20, using: &random) == 0)
      // What comes last has nothing behind it that tells.
      if isHeld, number > 4, number < 590 { free = sent + Int64.random(in: 5...90, using: &random) }
      arrive(number, sent + Int64.random(in: 0...2, using: &random))
      guard number > 9, number < 590, Int.random(in: 0..<10, using: &random) == 0 else { continue }
      arrive(number, sent + Int64.random(in: 1...22, using: &random))
      copies += 1
    }
    let stream = try stream()
    let (batches, missed) = play(stream, arrivals)
    #expect(stream.counts == SampleRateMonitor.Counts(came: 1_800, lost: 0, doubled: copies), "seed \(seed)")
    #expect(batches.reduce(0) { $0 + $1.count } == 1_800 && missed.isEmpty)
  }

  @Test
  func
    `F147 a packet like the one before that has the time of one of its own is kept, and what follows waits for that`()
    throws
  {
    let arrivals = (0..<400).map { (packet: Int) -> (number: Int, milliseconds: Int64) in
      (packet > 200 ? packet - 1 : packet, Int64(packet * 30))
    }
    let stream = try stream()
    let (batches, missed) = play(stream, arrivals)
    #expect(stream.counts == SampleRateMonitor.Counts(came: 1_200, lost: 0, doubled: 0) && missed.isEmpty)
    let times = times(batches)
    #expect(times.count == 1_200)
    let steps = zip(times, times.dropFirst()).dropFirst(300).map { ($1 - $0).inSeconds }
    #expect(steps.allSatisfy { $0 > 0.009 && $0 < 0.011 })
  }

  @Test func `F147 a sensor that sends equal packets now and then is waited for once`() throws {
    let stream = try stream(["live_rate_hz": 50])
    var (events, held): ([FleetEvent], [Int64]) = ([], [])
    for index in 0..<600 {
      let milliseconds = Int64(index * 30)
      stream.take(
        of: packet(index - index / 12), at: .at(milliseconds), uptime: .milliseconds(milliseconds),
        into: &events)
      let age = Timestamp.at(milliseconds) - (try #require(events.live.last?.time))
      if age > .milliseconds(100) { held.append(milliseconds) }
    }
    let missed = stream.finish(at: .seconds(20), into: &events)
    #expect(stream.counts == SampleRateMonitor.Counts(came: 1_800, lost: 0, doubled: 0) && missed.isEmpty)
    // From the first pair of equal packets until nobody waits any more for what tells.
    #expect(held.first.map { $0 >= 12 * 30 } == true && held.last.map { $0 < 3_000 } == true)
  }

  @Test func `F147 a sensor that freezes is no packet that comes twice`() throws {
    let arrivals = (0..<400).map { (number: min($0, 200), milliseconds: Int64($0 * 30)) }
    let stream = try stream()
    let (batches, missed) = play(stream, arrivals)
    #expect(stream.counts == SampleRateMonitor.Counts(came: 1_200, lost: 0, doubled: 0) && missed.isEmpty)
    #expect(batches.reduce(0) { $0 + $1.count } == 1_200)
  }

  @Test func `F147 equal values at their times are no packets that come twice`() throws {
    let arrivals = (0..<400).map { (number: 7, milliseconds: Int64($0 * 30)) }
    #expect(play(try stream(), arrivals).batches.reduce(0) { $0 + $1.count } == 1_200)
  }

  @Test(
    arguments: [true, false])
  func `F148 behind an earlier session the gap is counted by the rate; without a rate nobody knows`(
    hasRate: Bool
  ) throws {
    let stream = try stream(every: hasRate ? .milliseconds(10) : nil, behind: .at(1_000))
    let gap = StreamInterruption(session: .seeded(1), lastSample: .at(1_000))
    stream.followsGap(since: gap)
    let (batches, missed) = play(stream, (0..<10).map { (number: $0, milliseconds: Int64(5_000 + $0 * 30)) })
    // The first of three samples that arrived at 5 s.
    #expect(batches.first?.gapBefore == (hasRate ? 397 : -1))
    #expect(missed.isEmpty)
    #expect(stream.missing(since: gap, before: .at(1_014)) == (hasRate ? 0 : -1))
  }

  @Test
  func `F148 behind an earlier session the gap is counted by the sensor's own rate, once that was found`()
    throws
  {
    let stream = try stream()
    // Three samples of 10 ms each in 29 ms: 3.3 % faster than told.
    _ = play(stream, (0..<2_000).map { (number: $0, milliseconds: Int64($0 * 29)) })
    let cutOff = try #require(stream.cutOff)
    #expect(abs(cutOff.rate + 1.0 / 30) < 0.002)
    let missing = stream.missing(since: cutOff, before: cutOff.lastSample + .seconds(60))
    #expect((6_190...6_220).contains(missing))
  }

  @Test(
    arguments: [(5_000, 9_000), (8_500, 9_000), (9_059, 9_059)] as [(Int64, Int64)])
  func `F148 what a session loses before its first batch begins behind the earlier session's last sample`(
    earlier: Int64, last: Int64
  ) throws {
    let stream = try stream(every: .seconds(1), behind: .at(earlier))
    var events: [FleetEvent] = []
    stream.take(of: [[1, 2, 3]], at: .at(10_000), uptime: .seconds(10), into: &events)
    stream.flush(at: .seconds(20), force: true, board: .number(1), into: &events)
    #expect(stream.begun(of: .number(1), behind: nil)?.last == .at(last))
  }

  @Test func `F149 stamps go on behind those of an earlier session although our clock was set back`() throws {
    let stream = try stream(behind: .at(60_000))
    let (batches, _) = play(stream, (0..<300).map { (number: $0, milliseconds: Int64($0 * 30)) })
    let times = times(batches)
    #expect(times.first.map { $0 > .at(60_000) } == true)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(batches.allSatisfy { ($0.clock.errorMilliseconds ?? 0) > 50_000 })
  }

  @Test func `F146 samples of a stream with too few are uncertain`() throws {
    let stream = try stream()
    var events: [FleetEvent] = []
    for number in 0..<2_000 {
      let milliseconds = Int64(number * 40)
      stream.take(
        of: packet(number), at: .at(milliseconds), uptime: .milliseconds(milliseconds), into: &events)
      if case .some(let fault) = stream.watchRate(at: .milliseconds(milliseconds)) {
        #expect(fault?.kind == .slow)
        stream.change([], into: &events)
      }
    }
    _ = stream.finish(at: .seconds(100), into: &events)
    let first = try #require(events.batches.first)
    #expect(first.doubts == [])
    #expect(events.batches.last?.doubts == [.rateLow])
    #expect(events.batches.allSatisfy { $0.gapBefore == 0 })
  }
}
