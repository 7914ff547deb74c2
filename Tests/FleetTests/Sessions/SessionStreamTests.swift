import BoardKit
import FleetModel
import Testing

@testable import Fleet

@Suite struct SessionStreamTests {
  private func stream(
    _ name: String = "acceleration", _ configuration: JSONObject = ["record": true],
    period: Duration? = .milliseconds(20),
    isPolled: Bool = false
  ) throws -> SessionStream {
    let active = ActiveStream(
      key: StreamKey(0), request: StreamRequest(name: name, configuration: configuration), period: period,
      isPolled: isPolled)
    return try #require(
      SessionStream(
        active, board: .number(1), boot: 1, session: .seeded(1), limits: LaneLimits(), uptime: .seconds(100)))
  }

  private func append(
    _ count: Int, to stream: inout SessionStream, values: [Double] = [1, 2, 3], every step: Int64 = 20
  ) -> (live: [LiveSample], batches: [SampleBatch]) {
    var events: [FleetEvent] = []
    for index in 0..<count {
      let milliseconds = Int64(index) * step
      stream.append(
        at: .at(milliseconds), values,
        uptime: .seconds(100) + .milliseconds(milliseconds), into: &events)
    }
    _ = stream.finish(into: &events)
    return (
      events.compactMap { if case .live(let sample) = $0 { sample } else { nil } },
      events.compactMap { if case .batch(let batch) = $0 { batch } else { nil } }
    )
  }

  @Test func `an unknown stream is none`() {
    let active = ActiveStream(
      key: StreamKey(0), request: StreamRequest(name: "weather", configuration: [:]), period: nil,
      isPolled: false)
    #expect(
      SessionStream(
        active, board: .number(1), boot: 1, session: .seeded(1), limits: LaneLimits(), uptime: .zero) == nil)
  }

  @Test func `everything is recorded, ten a second are live, and both carry the same numbers and times`()
    throws
  {
    var stream = try stream()
    let (live, batches) = append(500, to: &stream)
    #expect(batches.reduce(0) { $0 + $1.count } == 500)
    #expect(live.count == 100)
    let times = Dictionary(
      uniqueKeysWithValues: batches.flatMap { batch in
        batch.times.enumerated().map { (batch.sequence + $0, $1) }
      })
    #expect(live.allSatisfy { times[$0.sequence] == $0.time })
  }

  private static let lanesCases: [(JSONObject, Int, Int)] = [
    // Configuration, live samples and recorded samples of 50 in a second.
    (["live_rate_hz": 0], 0, 50), (["live_rate_hz": 50], 50, 50), (["live_rate_hz": 1], 1, 50),
    (["record": false], 10, 0),
    (["record": false, "live_rate_hz": 0], 0, 0), ([:], 10, 50),
  ]

  @Test(arguments: lanesCases)
  func `MQTT contract 2.1: live_rate_hz and record`(configuration: JSONObject, live: Int, recorded: Int)
    throws
  {
    var stream = try stream("acceleration", configuration)
    let (samples, batches) = append(50, to: &stream)
    #expect(samples.count == live)
    #expect(batches.reduce(0) { $0 + $1.count } == recorded)
  }

  @Test func `a component carries its one field of the vector`() throws {
    var stream = try stream("acceleration-y")
    let (live, batches) = append(1, to: &stream)
    #expect(live.first?.fields.map(\.name) == ["ay_g"] && live.first?.values == [2])
    #expect(batches.first?.stream == "acceleration-y" && batches.first?.values == [2])
  }

  @Test(
    arguments: [[], [1], [1, 2], [1, 2, 3, 4]] as [[Double]])
  func `a driver that gives the wrong number of values is not believed`(values: [Double]) throws {
    var stream = try stream()
    let (live, batches) = append(5, to: &stream, values: values)
    #expect(live.isEmpty && batches.isEmpty && !stream.hasSamples)
  }

  @Test func `F55 silence is odd after 5 s or two periods, the longer`() throws {
    #expect(try stream(period: .milliseconds(20)).silenceTimeout == .seconds(5))
    #expect(try stream(period: .seconds(10)).silenceTimeout == .seconds(20))
    #expect(try stream("switch", period: nil).silenceTimeout == nil)
  }

  @Test func `F55 a silent stream is started anew once, and only if the board should begin`() throws {
    let pushed = try stream()
    #expect(!pushed.isOverdue(at: .seconds(105)))
    #expect(pushed.isOverdue(at: .milliseconds(105_001)))
    let outcomes = [105, 111].map { pushed.restart(at: .seconds($0)) }
    #expect(outcomes == [true, false])
    #expect(!pushed.isOverdue(at: .seconds(110)))
    let polled = try stream("temperature-die", ["every": "10s"], period: .seconds(10), isPolled: true)
    let isRestarted = polled.restart(at: .seconds(200))
    #expect(!isRestarted)
  }

  @Test func `F24 samples that a stall has cost are a gap in the record`() throws {
    let stream = try stream("acceleration", ["record": true, "live_rate_hz": 0])
    var events: [FleetEvent] = []
    var missed: [LostSamples] = []
    let sample: [Double] = [1, 2, 3]
    for milliseconds in Array(stride(from: 0, to: 2_000, by: 20))
      + Array(stride(from: 4_000, to: 6_000, by: 20))
    {
      missed += stream.append(
        at: .at(Int64(milliseconds)), sample, uptime: .milliseconds(milliseconds), into: &events)
    }
    _ = stream.finish(into: &events)
    #expect(missed.map(\.count).count == 1 && (95...105).contains(missed.first?.count ?? 0))
    let gaps = events.compactMap { if case .batch(let batch) = $0 { batch.gapBefore } else { nil } }
    #expect(gaps.reduce(0, +) == missed.first?.count)
  }

  @Test func `F55 the last sample is remembered; before the first it is the start`() throws {
    var stream = try stream()
    #expect(stream.lastSample == .seconds(100) && !stream.hasSamples)
    _ = append(3, to: &stream)
    #expect(stream.lastSample == .milliseconds(100_040) && stream.hasSamples)
  }

  @Test
  func
    `a stream that the board stops and starts by itself is never overdue, and has lost nothing in between`()
    throws
  {
    let stream = try stream()
    stream.isControlledOnDevice = true
    var missed = 0
    var events: [FleetEvent] = []
    for milliseconds in [0, 20, 40, 20_000, 20_020, 40_000] as [Int64] {
      missed +=
        stream.append(
          at: .at(milliseconds), [1, 2, 3],
          uptime: .seconds(100) + .milliseconds(milliseconds), into: &events
        ).count
    }
    #expect(missed == 0)
    #expect(!stream.isOverdue(at: .seconds(1_000)))
    stream.isControlledOnDevice = false
    #expect(stream.isOverdue(at: .seconds(1_000)))
  }

  @Test func `F128 samples that cannot be are left out, and counted as missing before the next one`() throws {
    let stream = try stream("quaternion", period: .milliseconds(10))
    var events: [FleetEvent] = []
    let samples: [[Double]] = [[1, 0, 0, 0], [0, 0, 0, 0], [.nan, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0]]
    for (index, sample) in samples.enumerated() {
      stream.append(
        at: .at(Int64(index) * 10), sample, uptime: .seconds(100), into: &events)
    }
    #expect(
      stream.quality.takeLeftOut()
        == OmittedSamples(first: ImpossibleValue(field: "qw", value: 0), count: 2, from: .at(10), to: .at(20))
    )
    #expect(stream.quality.takeLeftOut() == nil)
    #expect(stream.taken == 3)
    _ = stream.finish(into: &events)
    let batches = events.compactMap { if case .batch(let batch) = $0 { batch } else { nil } }
    #expect(batches.map(\.count) == [1, 2])
    #expect(batches.map(\.sequence) == [0, 1])
    #expect(batches.map(\.gapBefore) == [0, 2])
    let live = events.compactMap { if case .live(let sample) = $0 { sample.values } else { nil } }
    #expect(live == [[1, 0, 0, 0]])
  }

  @Test func `a batch has one quality: when that changes, the open one ends and the session goes on`() throws
  {
    let stream = try stream("acceleration", ["record": true, "live_rate_hz": 50])
    var events: [FleetEvent] = []
    for (index, doubts) in [[], [.configUnverified], [.configUnverified], []].enumerated()
      as EnumeratedSequence<[Set<QualityReason>]>
    {
      stream.change(doubts, into: &events)
      stream.append(
        at: .at(Int64(index) * 20), [1, 2, 3], uptime: .seconds(100), into: &events)
    }
    _ = stream.finish(into: &events)
    let batches = events.compactMap { if case .batch(let batch) = $0 { batch } else { nil } }
    #expect(batches.map(\.count) == [1, 2, 1])
    #expect(batches.map(\.sequence) == [0, 1, 3])
    #expect(batches.map(\.doubts) == [[], [.configUnverified], []])
    let live = events.compactMap { if case .live(let sample) = $0 { sample.doubts } else { nil } }
    #expect(live == [[], [.configUnverified], [.configUnverified], []])
  }
}
