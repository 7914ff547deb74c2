import FleetModel
import Testing

@testable import Fleet

/// MQTT API 3.2, MQTT contract 1.7.
@Suite struct RecordLaneTests {
  private func lane(_ change: (inout LaneLimits) -> Void = { _ in }) -> RecordLane {
    var limits = LaneLimits()
    change(&limits)
    return RecordLane(
      board: .number(1), stream: "temperature-die", fields: [.init("temperature_c", "°C", decimals: 3)],
      session: .seeded(1), boot: 3, clock: ClockQuality(source: .arrival, errorMilliseconds: 100),
      configuration: ["every": "10s"], limits: limits)
  }

  /// Puts samples in, one every `step` milliseconds, and returns the batches that come out.
  private func batches(_ count: Int, every step: Int64, in lane: inout RecordLane, from start: Int64 = 0)
    -> [SampleBatch]
  {
    (0..<count).compactMap { index in
      let milliseconds = start + Int64(index) * step
      return lane.put(at: .at(milliseconds), [Double(index)], uptime: .milliseconds(milliseconds))
    }
  }

  @Test(
    arguments: [1, 3, 10, 20, 249, 250, 251, 1_000] as [Int64])
  func `a batch spans at most 250 ms of stream time`(step: Int64) {
    var lane = lane()
    let batches =
      batches(400, every: step, in: &lane) + [lane.flush(at: .zero, force: true)].compactMap(\.self)
    for batch in batches {
      #expect((batch.times.last ?? .at(0)) - (batch.times.first ?? .at(0)) <= .milliseconds(250))
      #expect(batch.count == batch.values.count)
    }
    #expect(batches.reduce(0) { $0 + $1.count } == 400)
  }

  @Test func `a batch holds at most 500 samples`() {
    var lane = lane()
    let batches = batches(1_700, every: 0, in: &lane)
    #expect(batches.map(\.count) == [500, 500, 500])
    #expect(lane.flush(at: .zero, force: true)?.count == 200)
  }

  @Test func `smaller limits of the configuration hold`() {
    var lane = lane {
      $0.maximumSamples = 3
      $0.maximumSpan = .milliseconds(100)
    }
    #expect(batches(10, every: 1, in: &lane).map(\.count) == [3, 3, 3])
    var slow = self.lane { $0.maximumSpan = .milliseconds(100) }
    #expect(batches(9, every: 50, in: &slow).map(\.count) == [3, 3])
  }

  @Test func `samples are numbered from 0 without restarting at a batch`() {
    var lane = lane { $0.maximumSamples = 4 }
    var expected = 0
    for batch in batches(30, every: 10, in: &lane) {
      #expect(batch.sequence == expected)
      expected += batch.count
    }
    #expect(lane.append(at: .at(9_999), [0], uptime: .zero).sequence == 30)
    #expect(lane.nextSequence == 31)
  }

  @Test func `every batch says whose it is; the first one how it was configured`() throws {
    var lane = lane { $0.maximumSamples = 2 }
    let batches = batches(7, every: 1, in: &lane)
    #expect(batches.allSatisfy { $0.board == .number(1) && $0.stream == "temperature-die" && $0.boot == 3 })
    #expect(batches.allSatisfy { $0.session == .seeded(1) && $0.clock.source == .arrival })
    #expect(batches.map { $0.configuration != nil } == [true, false, false])
  }

  @Test
  func `F143 stamps increase within a session, by a microsecond at least, and what that costs is stated`() {
    var lane = lane()
    let offered: [Int64] = [0, 20, 10, -3_600_000, 30, 29, 30]
    let stamps = offered.map { lane.append(at: .at($0), [0], uptime: .zero).stamp }
    let told: [Timestamp] = [
      .at(0), .at(20), .at(20) + .microseconds(1), .at(20) + .microseconds(2), .at(30),
      .at(30) + .microseconds(1), .at(30) + .microseconds(2),
    ]
    #expect(stamps == told)
    let batch = lane.flush(at: .zero, force: true)
    #expect(batch?.times == stamps)
    #expect(batch?.clock.errorMilliseconds ?? 0 >= 3_600_000)
    _ = lane.append(at: .at(40), [0], uptime: .zero)
    #expect(lane.flush(at: .zero, force: true)?.clock.errorMilliseconds == 100)
  }

  @Test func `F143 stamps go on behind those of an earlier session`() {
    var lane = RecordLane(
      board: .number(1), stream: "temperature-die", fields: [.init("temperature_c", "°C", decimals: 3)],
      session: .seeded(1), boot: 3, clock: ClockQuality(source: .arrival, errorMilliseconds: 100),
      configuration: [:], limits: LaneLimits(), behind: .at(500))
    #expect(lane.append(at: .at(400), [0], uptime: .zero).stamp == .at(500) + .microseconds(1))
  }

  // Losses.

  @Test func `known losses stand before the sample that follows them, once`() {
    var lane = lane { $0.maximumSamples = 1 }
    lane.lost(2)
    lane.lost(3)
    #expect(batches(3, every: 1, in: &lane).map(\.gapBefore) == [5, 0])
  }

  @Test func `once uncountable, always uncountable`() {
    for losses in [[3, -1], [-1, 3], [-1, -1]] {
      var lane = lane { $0.maximumSamples = 1 }
      for loss in losses { lane.lost(loss) }
      #expect(batches(2, every: 1, in: &lane).map(\.gapBefore) == [-1])
    }
  }

  @Test func `seq counts what is published: samples lost before us are not numbered`() {
    var lane = lane { $0.maximumSamples = 1 }
    _ = batches(2, every: 1, in: &lane)
    lane.lost(100)
    #expect(lane.append(at: .at(50), [0], uptime: .zero).sequence == 2)
  }

  // Flushing.

  @Test func `a batch that waits goes out when its time is over, by the uptime at which it was opened`() {
    var lane = lane()
    #expect(lane.flush(at: .seconds(9)) == nil)
    _ = lane.append(at: .at(0), [1], uptime: .seconds(10))
    #expect(lane.flush(at: .milliseconds(10_249)) == nil)
    #expect(lane.flush(at: .milliseconds(10_250))?.count == 1)
    #expect(lane.flush(at: .seconds(99), force: true) == nil)
  }

  @Test func `forced it goes at once`() {
    var lane = lane()
    _ = lane.append(at: .at(0), [1], uptime: .seconds(10))
    #expect(lane.flush(at: .seconds(10), force: true)?.count == 1)
  }
}

extension RecordLane {
  fileprivate mutating func append(
    at time: Timestamp, _ sample: [Double], uptime: Duration
  ) -> (stamp: Timestamp, sequence: Int) {
    append(at: time, sample.span, uptime: uptime)
  }

  /// As a session does it: what is full leaves first.
  fileprivate mutating func put(at time: Timestamp, _ sample: [Double], uptime: Duration) -> SampleBatch? {
    let full = isFull(before: time) ? close() : nil
    _ = append(at: time, sample, uptime: uptime)
    return full
  }
}
