import FleetModel
import Foundation
import Testing

@testable import Storage

@Suite struct KeptStreamsTests {
  private let directory = StateDirectory()
  private let store: Store

  init() throws { store = try directory.open() }

  private func keep(_ batches: SampleBatch...) async throws {
    _ = try await store.outbox.exchange([], forDelivered: [], keeping: batches, at: .at(0))
  }

  private func purge(before limit: Timestamp, maximumSize: Int, batch: Int = 1) async throws -> KeptPurge {
    var sum = KeptPurge()
    while true {
      let purge = try await store.kept.purge(before: limit, maximumSize: maximumSize, batch: batch)
      if purge.rows == 0 { return sum }
      sum.rows += purge.rows
      sum.samplesTooYoung += purge.samplesTooYoung
    }
  }

  @Test func `what is kept is read back as the batches that it came in`() async throws {
    var second = SampleBatch.kept(sequence: 10, count: 5, at: 20)
    (second.gapBefore, second.doubts) = (3, [.rateLow, .configUnverified])
    let first = SampleBatch.kept(count: 10, at: 1)
    try await keep(first, second, .kept(2, stream: "gyroscope", count: 1, at: 2))
    let reader = try #require(try ArchiveReader(directory: directory.path))
    let streams = try reader.keptStreams()
    #expect(streams.map(\.stream) == ["acceleration", "gyroscope"])
    #expect(streams[0].samples == 15 && streams[0].lost == 3 && streams[0].boot == 3)
    #expect(streams[0].started == .at(1) && streams[0].ended == .at(24) && !streams[0].isRunning)
    #expect(try reader.batches(of: streams[0], from: 0, limit: 9) == [first, second])
    #expect(try reader.batches(of: streams[0], from: 10, limit: 9) == [second])
    #expect(try reader.batches(of: streams[0], from: 0, since: .at(15), limit: 9) == [second])
    #expect(try reader.batches(of: streams[0], from: 0, until: .at(20), limit: 9) == [first])
    #expect(try reader.keptStreams(of: BoardID("c0ffee000009")!).isEmpty)
  }

  @Test func `a session that goes on says so`() async throws {
    let batch = SampleBatch.kept(count: 1, at: 1)
    var marks = StreamCheckpoints()
    marks.note(
      .began(OpenStream(board: batch.board, stream: batch.stream, session: batch.session, last: .at(1))))
    _ = try await store.outbox.exchange([], forDelivered: [], streams: marks, keeping: [batch], at: .at(1))
    #expect(try await store.kept.streams().map(\.isRunning) == [true])
  }

  @Test func `how much there is counts on across restarts`() async throws {
    try await keep(.kept(count: 10, at: 1), .kept(2, count: 3, at: 50))
    let before = try await store.kept.statistics()
    #expect(before.amount.samples == 13 && before.amount.bytes > 13 && before.oldest == .at(1))
    let again = try directory.crashed().open()
    #expect(try await again.kept.statistics() == before)
  }

  @Test func `F233 beyond its size the oldest samples go, and the newest stay`() async throws {
    for number in 0..<10 {
      try await keep(.kept(sequence: number * 10, count: 10, at: Int64(number) * 10))
    }
    let size = try await store.kept.statistics().amount.bytes
    let purge = try await purge(before: .at(0), maximumSize: size * 3 / 10)
    #expect(purge.samplesTooYoung >= 70 && purge.samplesTooYoung < 90)
    let left = try await store.kept.statistics()
    #expect(left.amount.bytes <= size * 3 / 10 && left.amount.samples == 100 - purge.samplesTooYoung)
    let stream = try #require(try await store.kept.streams().first)
    #expect(stream.ended == .at(99) && stream.samples == left.amount.samples)
  }

  @Test func `what is too old goes, session and all, and is not told as cut`() async throws {
    try await keep(.kept(count: 10, at: 1), .kept(2, count: 3, at: 50))
    #expect(try await purge(before: .at(40), maximumSize: .max) == KeptPurge(rows: 1, samplesTooYoung: 0))
    #expect(try await store.kept.streams().map(\.samples) == [3])
    #expect(try await store.kept.statistics().oldest == .at(50))
  }

  @Test func `F262 what was taken without a clock goes with what was taken next, and not before`()
    async throws
  {
    for number in 0..<7 {
      var batch = SampleBatch.kept(sequence: number, count: 1, at: 0)
      batch.times = [Timestamp(milliseconds: 90_000 + Int64(number))]
      try await keep(batch)
    }
    #expect(try await purge(before: .at(40), maximumSize: .max).rows == 0)
    for number in 7..<10 { try await keep(.kept(sequence: number, count: 1, at: Int64(number) * 10)) }
    #expect(try await purge(before: .at(40), maximumSize: .max).rows == 0)
    #expect(try await purge(before: .at(71), maximumSize: .max) == KeptPurge(rows: 8, samplesTooYoung: 0))
  }

  @Test func `F236 what was deleted is found by nobody, and what comes behind is kept anew`() async throws {
    let (old, new) = (SampleBatch.kept(count: 10, at: 1), SampleBatch.kept(sequence: 10, count: 2, at: 11))
    try await keep(old)
    #expect(try await store.kept.delete([old.session]) == 1)
    #expect(try await store.kept.streams().isEmpty)
    #expect(try await store.kept.delete([old.session]) == 0)
    try await keep(new)
    #expect(try await store.kept.streams().map(\.samples) == [2])
    #expect(try await purge(before: .at(0), maximumSize: .max) == KeptPurge(rows: 1, samplesTooYoung: 0))
    #expect(try await store.kept.streams().map(\.samples) == [2])
    #expect(try await store.kept.statistics().amount.samples == 2)
  }

  @Test(arguments: [
    KeptQuery.batches, KeptQuery.oldest, KeptQuery.newest, KeptQuery.later, KeptQuery.first,
    KeptQuery.deleted,
  ])
  func `no statement reads through all samples`(query: String) throws {
    let file = try SQLiteFile()
    try Schema.current.migrate(file)
    let plan = try file.explain(query)
    // In the order of the rows themselves a scan ends with the first few.
    let isInOrder = query.contains("ORDER BY id")
    #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") || isInOrder && $0 == "SCAN kept_samples" }, "\(plan)")
  }

  @Test func `an archive of before keeps nothing`() async throws {
    let old = StateDirectory()
    try FileManager.default.createDirectory(atPath: old.path, withIntermediateDirectories: true)
    let file = try SQLiteFile(path: old.database)
    let earlier = Schema.current.migrations.prefix { !$0.name.hasPrefix("14 ") }
    try Schema(migrations: Array(earlier)).migrate(file)
    try file.close()
    let reader = try #require(try ArchiveReader(directory: old.path))
    #expect(try reader.keptStreams().isEmpty)
    #expect(try await old.open().kept.streams().isEmpty)
  }
}
