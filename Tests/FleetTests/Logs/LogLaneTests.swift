import BoardKit
import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct LogLaneTests {
  private static let stream = LoggedStream(
    name: "acceleration", fields: [.init("ax_g", "g", decimals: 2), .init("ay_g", "g", decimals: 2)],
    slots: [0, 1], layout: [], configuration: ["rate_hz": 50])
  private static let single = LoggedStream(
    name: "temperature[0]", fields: [.init("temperature_c", "°C", decimals: 2)], slots: [2], layout: [],
    isOurs: false)

  private func lane(_ session: LogSession, _ cursor: LogCursor = LogCursor()) throws -> LogLane {
    try #require(LogLane(session, format: TestLog.format, from: cursor))
  }

  private func session(_ streams: [LoggedStream]) -> LogSession {
    TestLog.session(streams: streams)
  }

  @Test func `samples are numbered per stream, dated, and carry the configuration once`() throws {
    var log = TestLog()
    for number in 0..<700 {
      log.pass(.milliseconds(20))
      log.entry(slot: 0, Int32(number))
      log.entry(slot: 1, Int32(-number))
      if number.isMultiple(of: 50) { log.entry(slot: 2, 21) }
    }
    var lane = try lane(session([Self.stream, Self.single]))
    lane.scan(log.pieces())
    let batches = lane.publish(log.pieces(), gaps: [], history: log.history())
    #expect(batches.map(\.stream) == ["acceleration", "acceleration", "temperature-0-"])
    #expect(batches.map(\.count) == [500, 200, 14])
    #expect(batches.map(\.sequence) == [0, 500, 0])
    #expect(batches.map { $0.configuration != nil } == [true, false, true])
    #expect(batches[1].values.prefix(2) == [5, -5])
    for batch in batches {
      #expect(batch.origin == .flash && batch.boot == 1 && batch.gapBefore == 0)
      #expect(batch.clock.source == .boardTick)
      #expect(try #require(batch.clock.errorMilliseconds) < 50)
    }
    #expect(batches.map(\.clock.anchor) == [TestLog.start, log.now, TestLog.start])
    #expect(lane.position == 1_414)
  }

  @Test(arguments: [1, 2, 7, 31])
  func `whatever the pieces and restarts, the samples are the same`(size: Int) throws {
    var log = TestLog()
    for number in 0..<60 {
      log.pass(.milliseconds(20))
      log.entry(slot: 0, Int32(number))
      if number == 20 { log.reset() }
      log.entry(slot: 1, Int32(-number))
    }
    let session = session([Self.stream])
    var whole = try lane(session)
    whole.scan(log.pieces())
    let expected = whole.publish(log.pieces(), gaps: [], history: log.history())
    var cursor = LogCursor()
    var batches: [SampleBatch] = []
    for piece in log.pieces(of: size) {
      // A new process every time; only the cursor stays.
      var lane = try lane(session, cursor)
      lane.scan(log.pieces(of: size))
      batches += lane.publish([piece], gaps: [], history: log.history())
      cursor = lane.cursor
    }
    #expect(batches.flatMap(\.times) == expected.flatMap(\.times))
    #expect(batches.flatMap(\.values) == expected.flatMap(\.values))
    var next = 0
    for batch in batches {
      #expect(batch.sequence == next)
      next += batch.count
    }
    #expect(next == 60)
  }

  @Test func `a batch ends where the board was reset`() throws {
    var log = TestLog()
    for number in 0..<20 {
      if number == 10 { log.reset() }
      log.pass(.milliseconds(20))
      log.entry(slot: 2, Int32(number))
    }
    var lane = try lane(session([Self.single]))
    lane.scan(log.pieces())
    let batches = lane.publish(log.pieces(), gaps: [], history: log.history())
    #expect(batches.map(\.boot) == [1, 2])
    #expect(batches.map(\.count) == [10, 10])
  }

  @Test func `declared gaps are told by the next batch of their stream, once`() throws {
    var log = TestLog()
    for number in 0..<4 {
      log.pass(.milliseconds(20))
      log.entry(slot: 2, Int32(number))
      log.entry(slot: 0, 1)
      log.entry(slot: 1, 1)
    }
    var lane = try lane(session([Self.stream, Self.single]))
    lane.scan(log.pieces(of: 6))
    let gaps = [
      LogGap(id: 1, stream: nil, count: 3, reason: "x"),
      LogGap(id: 2, stream: "acceleration", count: -1, reason: "x"),
      LogGap(id: 3, stream: "acceleration", count: 5, reason: "x"),
    ]
    let pieces = log.pieces(of: 6)
    let first = lane.publish([pieces[0]], gaps: gaps, history: log.history())
    let second = lane.publish([pieces[1]], gaps: gaps, history: log.history())
    #expect(first.sorted { $0.stream < $1.stream }.map(\.gapBefore) == [-1, 3])
    #expect(second.map(\.gapBefore) == [0, 0])
  }

  @Test(arguments: [6, 12])
  func `F150 a gap with a place is told there, and ends the batch before it`(size: Int) throws {
    var log = TestLog()
    for number in 0..<12 {
      log.pass(.milliseconds(20))
      log.entry(slot: 2, Int32(number))
    }
    var lane = try lane(session([Self.single]))
    lane.scan(log.pieces(of: size))
    let gap = LogGap(
      id: 1, stream: "temperature[0]", from: nil, to: nil, count: 7, reason: "download", cause: .pause,
      position: 6)
    let batches = lane.publish(log.pieces(of: size), gaps: [gap], history: log.history())
    // A place is always a piece's beginning: what is behind all that is here is not told yet.
    #expect(batches.map(\.count) == (size == 6 ? [6, 6] : [12]))
    #expect(batches.map(\.gapBefore) == (size == 6 ? [0, 7] : [0]))
  }

  @Test(
    arguments: [1, 2, 5], [3, 512])
  func
    `F151 wrong times of entries are told as unknown, between their neighbours, and throw off nothing else`(
      burst: Int, size: Int
    ) throws
  {
    var (log, whole) = (TestLog(), TestLog())
    for number in 0..<120 {
      log.pass(.milliseconds(20))
      whole.pass(.milliseconds(20))
      let isDamaged = (50..<50 + burst).contains(number)
      log.entry(slot: 2, Int32(number), damage: isDamaged ? 1_000_000 + 977_777 * UInt32(number) : 0)
      whole.entry(slot: 2, Int32(number))
    }
    let session = session([Self.single])
    var expected = try lane(session)
    expected.scan(whole.pieces())
    let times = expected.publish(whole.pieces(), gaps: [], history: whole.history()).flatMap(\.times)
    var cursor = LogCursor()
    var batches: [SampleBatch] = []
    for piece in log.pieces(of: size) {
      var lane = try lane(session, cursor)
      lane.scan(log.pieces(of: size))
      batches += lane.publish([piece], gaps: [], history: log.history())
      cursor = lane.cursor
    }
    let unknown = batches.filter { $0.clock.source == .unknown }
    #expect(unknown.reduce(0) { $0 + $1.count } == burst)
    #expect(batches.flatMap(\.values) == (0..<120).map { Double($0) / 100 })
    let got = batches.flatMap(\.times)
    #expect(zip(got, got.dropFirst()).allSatisfy { $0 < $1 })
    for (index, (one, other)) in zip(got, times).enumerated() {
      if !(50..<50 + burst).contains(index) { #expect(one == other, "\(index)") }
    }
  }

  @Test func `F153 a session's first stamp lies behind the last one of the session before it`() throws {
    var log = TestLog()
    for number in 0..<3 {
      log.entry(slot: 2, Int32(number))
      log.pass(.milliseconds(1))
    }
    var first = try lane(session([Self.single]))
    first.scan(log.pieces())
    let before = first.publish(log.pieces(), gaps: [], history: log.history()).flatMap(\.times)
    var second = try #require(
      LogLane(
        session([Self.single]), format: TestLog.format, from: LogCursor(), behind: first.cursor.lane))
    second.scan(log.pieces())
    let behind = second.publish(log.pieces(), gaps: [], history: log.history()).flatMap(\.times)
    let all = (before + behind).map(\.microseconds)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `F40 entries of unknown loggers are counted and change nothing else`() throws {
    var log = TestLog()
    for number in 0..<10 {
      log.pass(.milliseconds(20))
      log.entry(slot: 2, Int32(number))
      log.entry(slot: 7, 99)
    }
    var lane = try lane(session([Self.single]))
    lane.scan(log.pieces())
    let batches = lane.publish(log.pieces(), gaps: [], history: log.history())
    #expect(batches.map(\.count) == [10])
    #expect(lane.state.unknown == [7: 10])
  }

  @Test func `F44 a run that cannot be told is published with its time unknown`() throws {
    var log = TestLog()
    for run in 0..<3 {
      if run > 0 { log.reset() }
      log.pass(.seconds(1))
      log.entry(slot: 2, Int32(run))
    }
    var lane = try lane(session([Self.single]))
    lane.scan(log.pieces())
    let batches = lane.publish(log.pieces(), gaps: [], history: log.history())
    #expect(batches.map(\.clock.source) == [.boardTick, .unknown, .boardTick])
    #expect(batches[1].clock.errorMilliseconds == nil)
    #expect(batches.flatMap(\.times) == batches.flatMap(\.times).sorted())
  }

  @Test func `a wide sample makes short batches, so that none is too large`() throws {
    let fields = (0..<17).map {
      StreamDefinition.Field("a_rather_long_name_of_a_field_\($0)", "", decimals: 6)
    }
    let wide = LoggedStream(name: "wide", fields: fields, slots: Array(0..<17), layout: [])
    var log = TestLog()
    for _ in 0..<500 {
      log.pass(.milliseconds(20))
      for slot in 0..<17 { log.entry(slot: UInt8(slot), Int32.min) }
    }
    var lane = try lane(session([wide]))
    lane.scan(log.pieces())
    let batches = lane.publish(log.pieces(), gaps: [], history: log.history())
    #expect(batches.reduce(0) { $0 + $1.count } == 500)
    #expect(batches.allSatisfy { SampleBatch.bytes($0) < 256 << 10 })
  }

  @Test func `the state survives its column`() throws {
    var state = LogLaneState()
    state.rest = [1, 0xFF]
    state.scan.runs = [LogBoot(resetID: 3, resets: 9, first: .max, extent: 1 << 40, start: 4)]
    (state.scan.position, state.scan.doubtful, state.scan.loggers) = (12, [7, 9], [3: 1 << 41])
    state.latest = ["a": Timestamp(nanoseconds: .max - 1)]
    state.place = .init(run: 2, tick: -5, time: Timestamp(nanoseconds: 1_763_671_000_123_456_789))
    state.lastGap = 8
    state.gapOfAll = -1
    state.streams = ["a": .init(sequence: 5, gap: 2), "b": .init()]
    state.unknown = [7: 3]
    #expect(LogLaneState(state.bytes) == state)
    #expect(LogLaneState(LogLaneState().bytes) == LogLaneState())
    #expect(LogLaneState([1, 2]) == nil)
  }
}
