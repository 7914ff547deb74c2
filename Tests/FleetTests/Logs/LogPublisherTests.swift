import Dialects
import FleetModel
import Storage
import Support
import Synchronization
import Testing
import VirtualTime

@testable import Fleet

@Suite struct LogPublisherTests {
  private static let stream = LoggedStream(
    name: "temperature-die", fields: [.init("temperature_c", "°C", decimals: 3)], slots: [2], layout: [])

  private final class Notices: Sendable {
    let all = Mutex<[LogNotice]>([])
  }

  /// A store with one session's log, and what publishes it, in one seeded world.
  private struct Rig: Sendable {
    let world = SeededWorld(seed: 1)
    let store: Store
    let session: LogSession
    let log: TestLog
    let notices = Notices()

    init(_ log: TestLog, streams: [LoggedStream] = [LogPublisherTests.stream]) throws {
      store = try Store(inMemoryOn: world)
      (self.log, session) = (log, TestLog.session(streams: streams))
    }

    /// A new one each time, as after a restart.
    func publisher(isClockSet: Bool = true) -> LogPublisher {
      LogPublisher(
        store: store, dialect: PlainDialect(topics: TopicTree(base: "m", gateway: "gw")),
        format: TestLog.format,
        timekeeper: world, counters: Counters(), log: silentLog(), seed: 1, isClockSet: { isClockSet },
        grew: {},
        notice: { [notices] notice in notices.all.withLock { $0.append(notice) } })
    }

    func readOut(from first: Int = 0, looks: [ClockAnchor]? = nil, ends: Bool = true) async throws {
      if first == 0 { try await store.logs.begin(session) }
      for anchor in looks ?? log.looks { try await store.logs.add(anchor, of: session.board) }
      try await store.logs.beginReadOut(of: session.id, expecting: log.entries.count)
      for piece in log.pieces() where piece.position >= first {
        _ = try await store.logs.append(
          piece.entries, endsPage: true, to: session.id, entrySize: TestLog.entrySize, at: log.now)
      }
      if ends {
        _ = try await store.logs.endReadOut(of: session.id, isFinished: true, received: log.entries.count)
      }
    }

    /// The first piece of the same log, of another board.
    func readOutOther(_ number: Int) async throws {
      var other = TestLog.session(Int64(number) + 1, streams: session.streams)
      other.board = BoardID(BluetoothAddress(rawValue: UInt64(number)))
      try await store.logs.begin(other)
      try await store.logs.beginReadOut(of: other.id, expecting: log.entries.count)
      _ = try await store.logs.append(
        log.pieces()[0].entries, endsPage: true, to: other.id, entrySize: TestLog.entrySize, at: log.now)
    }

    /// Takes what waits off the outbox, as a broker would.
    func deliver() async throws -> [OutboxMessage] {
      let rows = try await store.outbox.waiting(limit: 10_000)
      _ = try await store.outbox.exchange([], forDelivered: rows.map(\.id), at: world.now)
      return rows.map(\.message)
    }

    func run(_ body: @escaping @Sendable () async throws -> Void) throws {
      let result: Result<Void, any Error>? = world.run(atMost: .seconds(100_000)) {
        do { return .success(try await body()) } catch { return .failure(error) }
      }
      try #require(result).get()
    }
  }

  private static func log(_ samples: Int, resets: Bool = false, slot: UInt8 = 2) -> TestLog {
    var log = TestLog()
    for number in 0..<samples {
      log.pass(.milliseconds(100))
      if resets, number == samples / 2 { log.reset() }
      // A die holds no more than some dozens of degrees.
      log.entry(slot: slot, Int32(number % 5_000))
    }
    return log
  }

  private static func values(_ messages: [OutboxMessage]) throws -> [Double] {
    try messages.flatMap { message -> [Double] in
      let samples = try StrictJSON.parse(message.payload, limits: .trusting).object?["samples"]?.array ?? []
      return samples.compactMap { $0.object?["temperature_c"]?.number }
    }
  }

  @Test func `a log goes out as batches of its lane that are never dropped, and is known to be delivered`()
    throws
  {
    let rig = try Rig(Self.log(1_200))
    try rig.run {
      try await rig.readOut()
      #expect(try await rig.store.logs.undelivered(of: rig.session.id) == 1_200)
      #expect(try await !rig.publisher().publishAll())
      #expect(try await rig.store.logs.undelivered(of: rig.session.id) == 1_200)
      let messages = try await rig.deliver()
      #expect(messages.map(\.deliveryClass) == [.event, .event, .event])
      #expect(messages.allSatisfy { $0.topic == "m/board/c0ffee000001/log/temperature-die" })
      #expect(messages.map(\.samples) == [500, 500, 200])
      #expect(try Self.values(messages) == (0..<1_200).map { Double($0) / 100 })
      #expect(try await rig.store.logs.undelivered(of: rig.session.id) == 0)
      let first = try #require(try StrictJSON.parse(messages[0].payload, limits: .trusting).object)
      #expect(first["origin"] == "flash")
      #expect(first["batch_id"] == .string("\(rig.session.id).temperature-die.0"))
      #expect(first["clock"]?.object?["source"] == "board-tick")
      #expect(first["config"] != nil)
    }
  }

  @Test func `what is published is published once, also by another process`() throws {
    let rig = try Rig(Self.log(600))
    try rig.run {
      try await rig.readOut()
      for _ in 0..<3 { _ = try await rig.publisher().publishAll() }
      #expect(try await rig.deliver().reduce(0) { $0 + $1.samples } == 600)
    }
  }

  @Test func `the outbox is fed a little at a time`() throws {
    let samples = 500 * LogPublisher.waitingBatches + 40_000
    let rig = try Rig(Self.log(samples))
    try rig.run {
      try await rig.readOut()
      var sum = 0
      var isLeft = true
      var rounds = 0
      while isLeft, rounds < 10 {
        isLeft = try await rig.publisher().publishAll()
        let waiting = try await rig.store.publishing.waitingBatches()
        #expect(waiting <= LogPublisher.waitingBatches + LogPublisher.pieces + 1)
        sum += try await rig.deliver().reduce(0) { $0 + $1.samples }
        rounds += 1
      }
      #expect(sum == samples)
      #expect(rounds > 1)
    }
  }

  @Test func `while the broker takes nothing, a hundred logs cost no more than one`() throws {
    func jobs(sessions: Int) throws -> Int {
      let rig = try Rig(Self.log(500 * LogPublisher.waitingBatches))
      try rig.run {
        try await rig.readOut()
        for number in 1..<sessions { try await rig.readOutOther(number) }
        _ = try await rig.publisher().publishAll()
      }
      let before = rig.world.jobsRun
      try rig.run {
        let isAnyLeft = try await rig.publisher().publishAll()
        #expect(isAnyLeft)
      }
      return rig.world.jobsRun - before
    }
    let (one, hundred) = (try jobs(sessions: 1), try jobs(sessions: 100))
    #expect(one == hundred)
  }

  @Test func `a log of a board that was reset waits for the end of its read-out, any other does not`() throws
  {
    for resets in [false, true] {
      let rig = try Rig(Self.log(100, resets: resets))
      try rig.run {
        try await rig.readOut(ends: false)
        _ = try await rig.publisher().publishAll()
        #expect(try await rig.deliver().isEmpty == resets)
        _ = try await rig.store.logs.endReadOut(of: rig.session.id, isFinished: true, received: 100)
        _ = try await rig.publisher().publishAll()
        #expect(try await rig.deliver().isEmpty != resets)
      }
    }
  }

  @Test
  func `F110 a page that is still coming in is not published before it is whole, as it may come otherwise`()
    throws
  {
    let rig = try Rig(Self.log(20))
    let bytes = rig.log.pieces().flatMap(\.entries)
    try rig.run {
      try await rig.store.logs.begin(rig.session)
      for anchor in rig.log.looks { try await rig.store.logs.add(anchor, of: rig.session.board) }
      func take(_ entries: Range<Int>, endsPage: Bool) async throws {
        let size = TestLog.entrySize
        _ = try await rig.store.logs.append(
          Array(bytes[entries.lowerBound * size..<entries.upperBound * size]), endsPage: endsPage,
          to: rig.session.id, entrySize: size, at: rig.log.now)
      }
      try await rig.store.logs.beginReadOut(of: rig.session.id, expecting: 20)
      try await take(0..<10, endsPage: true)
      // Two entries are lost on the way.
      try await take(12..<20, endsPage: false)
      #expect(try await rig.publisher().publishAll())
      #expect(try Self.values(try await rig.deliver()).count == 10)
      try await rig.store.logs.beginReadOut(of: rig.session.id, expecting: 10, again: TestLog.entrySize)
      try await take(10..<20, endsPage: true)
      _ = try await rig.publisher().publishAll()
      #expect(try Self.values(try await rig.deliver()) == (10..<20).map { Double($0) / 100 })
    }
  }

  /// The gaps that were told, and on which topics.
  private static func gaps(_ messages: [OutboxMessage]) throws -> [JSONObject] {
    try messages.filter { $0.topic.hasSuffix("/event/data-gap") }.compactMap {
      try StrictJSON.parse($0.payload, limits: .trusting).object
    }
  }

  @Test func `I12 a gap that is declared behind the last batch is told by an event, once, whatever restarts`()
    throws
  {
    let rig = try Rig(Self.log(10))
    try rig.run {
      try await rig.readOut()
      _ = try await rig.publisher().publishAll()
      #expect(try Self.gaps(try await rig.deliver()).isEmpty)
      try await rig.store.logs.noteGap(
        of: rig.session.id, from: .at(1), to: .at(2), count: -1, reason: "discarded")
      for _ in 0..<2 { _ = try await rig.publisher().publishAll() }
      let messages = try await rig.deliver()
      #expect(messages.map(\.topic) == ["m/board/c0ffee000001/event/data-gap"])
      let gap = try #require(try Self.gaps(messages).first)
      #expect(gap["event_type"] == "log" && gap["stream"] == "temperature-die" && gap["count"] == -1)
      #expect(gap["session"] == .string("\(rig.session.id)") && gap["reason"] == "discarded")
      #expect(gap["from_ms"] == .integer(Timestamp.at(1).milliseconds))
      #expect(gap["to_ms"] == .integer(Timestamp.at(2).milliseconds))
    }
  }

  @Test func `a gap of a session without a logger map is told when there is one`() throws {
    let rig = try Rig(Self.log(10), streams: [])
    try rig.run {
      try await rig.readOut()
      try await rig.store.logs.noteGap(of: rig.session.id, count: 3, reason: "overflow")
      _ = try await rig.publisher().publishAll()
      #expect(try await rig.deliver().isEmpty)
      try await rig.store.logs.update([Self.stream], of: rig.session.id)
      _ = try await rig.publisher().publishAll()
      let messages = try await rig.deliver()
      #expect(try Self.gaps(messages).map { $0["count"] } == [3])
      let batch = try #require(messages.first { $0.samples > 0 })
      #expect(try StrictJSON.parse(batch.payload, limits: .trusting).object?["gap_before"] == 3)
    }
  }

  @Test func `entries without a logger map wait until there is one`() throws {
    let rig = try Rig(Self.log(10), streams: [])
    try rig.run {
      try await rig.readOut()
      #expect(try await !rig.publisher().publishAll())
      #expect(try await rig.deliver().isEmpty)
      try await rig.store.logs.update([Self.stream], of: rig.session.id)
      _ = try await rig.publisher().publishAll()
      #expect(try await rig.deliver().map(\.samples) == [10])
    }
  }

  @Test func `F40 entries of unknown loggers are noticed, and stay in the archive`() throws {
    let rig = try Rig(Self.log(10, slot: 7))
    try rig.run {
      try await rig.readOut()
      let publisher = rig.publisher()
      _ = try await publisher.publishAll()
      _ = try await publisher.publishAll()
      #expect(try await rig.deliver().isEmpty)
      let expected = LogNotice.unknownLoggers(rig.session.board, session: rig.session.id, entries: [7: 10])
      #expect(rig.notices.all.withLock { $0 } == [expected])
      #expect(
        try await rig.store.publishing.pieces(of: rig.session.id, from: 0, limit: 9).map(\.count) == [10])
    }
  }

  @Test func `F47 times wait for a host clock that is not set, but not for ever`() throws {
    let rig = try Rig(Self.log(10))
    try rig.run {
      let looks = rig.log.looks.map { ClockAnchor($0.reading, boot: $0.boot, isHostTimeKnown: false) }
      try await rig.readOut(looks: looks)
      let publisher = rig.publisher(isClockSet: false)
      #expect(try await publisher.publishAll())
      #expect(try await rig.deliver().isEmpty)
      try await rig.world.sleep(for: LogPublisher.clockTimeout + .seconds(1))
      _ = try await publisher.publishAll()
      let message = try #require(try await rig.deliver().first)
      let clock = try StrictJSON.parse(message.payload, limits: .trusting).object?["clock"]?.object
      #expect(clock == ["source": "unknown"])
    }
  }

  @Test
  func `F131 logged samples that cannot be are left out, counted as lost before the next one, and told once`()
    throws
  {
    var log = TestLog()
    for value in [2_100, 409_500, -409_600, 2_200, 2_300, 409_500] as [Int32] {
      log.pass(.milliseconds(100))
      log.entry(slot: 2, value)
    }
    let rig = try Rig(log)
    try rig.run {
      try await rig.readOut()
      #expect(try await !rig.publisher().publishAll())
      let messages = try await rig.deliver()
      #expect(try Self.values(messages) == [21, 22, 23])
      let gaps = try messages.map {
        try StrictJSON.parse($0.payload, limits: .trusting).object?["gap_before"]?.integer
      }
      #expect(gaps == [0, 2])
    }
    let told = rig.notices.all.withLock { $0 }
    #expect(
      told == [
        .impossibleValues(
          rig.session.board, session: rig.session.id, stream: "temperature-die", field: "temperature_c",
          value: 4_095, count: 3)
      ])
  }
}
