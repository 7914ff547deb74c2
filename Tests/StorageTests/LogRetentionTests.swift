import FleetModel
import Storage
import Testing

@Suite struct LogRetentionTests {
  private let store: Store

  init() throws { store = try Store.inMemory() }

  /// A session of 1000 entries, ten seconds apart from the next.
  private func session(
    _ number: Int64, isPublished: Bool = true, isDelivered: Bool = true, isCleared: Bool = true
  ) async throws -> LogSession {
    let session = LogSession.example(number)
    try await store.logs.begin(session)
    try await store.logs.beginReadOut(of: session.id, expecting: 1_000)
    let entries = (0..<9_000).map { UInt8(truncatingIfNeeded: $0 / 9 + Int(number)) }
    _ = try await store.logs.append(entries, endsPage: true, to: session.id, entrySize: 9, at: .at(number))
    _ = try await store.logs.endReadOut(of: session.id, isFinished: true, received: 1_000)
    if isPublished {
      let message = OutboxMessage(
        MQTTMessage(topic: "t", payload: [1]), as: .event, samples: 1_000, created: .at(number))
      try await store.publishing.publish(
        [LogMessage(message, stream: "s", sequence: 0, gapBefore: 0)], of: session.id,
        upTo: LogCursor(position: 1_000))
      let row = try #require(try await store.outbox.waiting(limit: 10).last)
      if isDelivered { _ = try await store.outbox.exchange([], forDelivered: [row.id], at: .at(number)) }
    }
    if isCleared { try await store.logs.noteCleared(session.id) }
    return session
  }

  private func purgeAll(before limit: Timestamp, maximumSize: Int) async throws -> Int {
    var sum = 0
    while true {
      let purged = try await store.logs.purge(before: limit, maximumSize: maximumSize, batch: 1)
      if purged == 0 { return sum }
      sum += purged
    }
  }

  @Test func `what was delivered goes by age, session and all`() async throws {
    _ = try await session(1)
    let young = try await session(100)
    #expect(try await purgeAll(before: .at(50), maximumSize: .max) == 2)
    #expect(try await store.logs.sessions() == [try #require(try await store.logs.session(young.id))])
    #expect(try await store.logs.size() == 9_000)
  }

  @Test func `over its size the archive loses its oldest entries, and still knows the session`() async throws
  {
    let old = try await session(1)
    _ = try await session(2)
    #expect(try await purgeAll(before: .at(0), maximumSize: 9_000) == 2)
    #expect(try await store.logs.size() == 9_000)
    #expect(try await store.publishing.pieces(of: old.id, from: 0, limit: 9).isEmpty)
    #expect(try await store.logs.session(old.id)?.stored == 1_000)
  }

  @Test func `small sessions of many boards go in one piece, not one at a time`() async throws {
    for number in 1...5 { _ = try await session(Int64(number)) }
    #expect(try await store.logs.purge(before: .at(50), maximumSize: .max, batch: 8) == 8)
    #expect(try await store.logs.size() == 9_000)
    #expect(try await store.logs.purge(before: .at(50), maximumSize: .max, batch: 8) == 2)
    #expect(try await store.logs.sessions().isEmpty)
  }

  @Test(arguments: [(false, true, true), (true, false, true), (true, true, false)])
  func `what was not published, not acknowledged or not cleared never goes`(
    isPublished: Bool, isDelivered: Bool, isCleared: Bool
  ) async throws {
    let session = try await session(
      1, isPublished: isPublished, isDelivered: isDelivered, isCleared: isCleared)
    #expect(try await purgeAll(before: .at(1_000_000), maximumSize: 0) == 0)
    #expect(try await store.publishing.pieces(of: session.id, from: 0, limit: 9).count == 2)
  }

  @Test func `looks at a clock go when no session needs them, the latest never`() async throws {
    let session = try await session(1_000_000)
    for second in [1, 2, 999_999] as [Int64] {
      let reading = ClockReading(
        clock: BoardTick(resetID: 1, tick: UInt32(second)), time: .at(second), error: .milliseconds(3))
      try await store.logs.add(ClockAnchor(reading, boot: 1, isHostTimeKnown: true), of: session.board)
    }
    _ = try await purgeAll(before: .at(500_000), maximumSize: .max)
    #expect(try await store.logs.clockAnchors(of: session.board).map(\.reading.time) == [.at(999_999)])
    _ = try await purgeAll(before: .at(5_000_000), maximumSize: .max)
    #expect(try await store.logs.clockAnchors(of: session.board).count == 1)
  }

  @Test func `the ends of each run are found among its looks at the clock, in order`() async throws {
    let board = BoardID.example
    for (boot, known, seconds) in [
      (1, true, 1...5), (2, false, 6...8), (2, true, 9...11), (3, true, 12...12),
    ] {
      for second in seconds {
        let reading = ClockReading(
          clock: BoardTick(resetID: boot, tick: UInt32(second)), time: .at(Int64(second)),
          error: .milliseconds(3))
        try await store.logs.add(ClockAnchor(reading, boot: boot, isHostTimeKnown: known), of: board)
      }
    }
    let ends = try await store.logs.clockAnchorsAtEnds(of: board)
    #expect(ends.map(\.reading.clock.tick) == [1, 5, 6, 8, 9, 11, 12])
    #expect(try await store.logs.clockAnchors(of: board).count == 12)
  }
}
