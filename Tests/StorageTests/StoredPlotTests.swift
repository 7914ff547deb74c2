import FleetModel
import Foundation
import GRDB
import Testing

@testable import Storage

@Suite struct StoredPlotTests {
  private let directory = StateDirectory()
  private let store: Store
  private let session = SampleBatch.kept(count: 0, at: 0).session

  init() throws { store = try directory.open() }

  /// Keeps so many samples, a second apart, as batches of a thousand.
  private func keep(_ samples: Range<Int>, at second: Int64? = nil) async throws {
    let batches = stride(from: samples.lowerBound, to: samples.upperBound, by: 1_000).map { first in
      SampleBatch.kept(
        sequence: first, count: min(1_000, samples.upperBound - first),
        at: (second ?? Int64(samples.lowerBound)) + Int64(first - samples.lowerBound))
    }
    _ = try await store.outbox.exchange([], forDelivered: [], keeping: batches, at: .at(0))
  }

  private func plot(
    from: Int64? = nil, to: Int64? = nil, buckets: Int, stream: String = "acceleration"
  ) throws -> StoredPlot? {
    let reader = try #require(try ArchiveReader(directory: directory.path))
    return try reader.plot(
      of: session, stream: stream, from: from.map { .at($0) }, to: to.map { .at($0) }, buckets: buckets)
  }

  @Test func `all samples are summed up, however they came, and few nodes are read`() async throws {
    try await keep(0..<70_000)
    try await keep(70_000..<70_003)
    for buckets in [1, 10, 100] {
      let plot = try #require(try plot(buckets: buckets))
      #expect(plot.samples == 70_003 && plot.nodes.reduce(0) { $0 + $1.samples } == 70_003)
      #expect(plot.fields.map(\.name) == ["f0_g"])
      #expect(plot.nodes.count <= buckets * 32 && plot.nodes.count >= min(buckets * 2, 547))
      #expect(plot.nodes.map { $0.lowest[0] }.min() == 0)
      #expect(plot.nodes.map { $0.highest[0] }.max() == 70_002.0 / 4)
      #expect(zip(plot.nodes, plot.nodes.dropFirst()).allSatisfy { $0.last < $1.first })
    }
  }

  @Test func `a stretch is as fine as the whole`() async throws {
    try await keep(0..<70_000)
    let plot = try #require(try plot(from: 30_000, to: 34_000, buckets: 10))
    #expect(plot.nodes.count >= 20 && plot.nodes.count <= 320 && plot.samples == 70_000)
    let (first, last) = (try #require(plot.nodes.first), try #require(plot.nodes.last))
    #expect(first.first <= .at(30_000) && first.last >= .at(30_000))
    #expect(last.first < .at(34_000) && last.last >= .at(33_999))
    #expect(try self.plot(from: 80_000, to: 90_000, buckets: 10)?.nodes == [])
  }

  @Test func `what is missing is seen, as far as the samples are`() async throws {
    try await keep(0..<40_000)
    try await keep(40_000..<80_000, at: 100_000)
    let plot = try #require(try plot(buckets: 5))
    let gaps = zip(plot.nodes, plot.nodes.dropFirst()).map { ($1.first - $0.last).wholeNanoseconds }
    // Only the node of 128 samples that the gap lies in reaches over it.
    let over = plot.nodes.filter { $0.first < .at(39_999) && $0.last > .at(100_000) }
    #expect(over.count == 1 && over[0].samples <= 128 && (gaps.max() ?? 0) <= 1_000_000_000)
  }

  @Test func `a session that was begun by an earlier version is not half there`() async throws {
    try await keep(0..<1_000)
    let database = try DatabaseQueue(path: directory.database)
    try await database.write { try $0.execute(sql: "DELETE FROM plot") }
    #expect(try plot(buckets: 5) == nil)
    try await keep(1_000..<2_000)
    #expect(try plot(buckets: 5) == nil)
    #expect(try plot(buckets: 5, stream: "gyroscope") == nil)
  }

  @Test func `with its oldest samples goes what sums them up, and with the last all of it`() async throws {
    try await keep(0..<10_000)
    let count = { (level: Int) throws -> Int in
      let database = try DatabaseQueue(path: directory.database)
      return try database.read {
        try Int.fetchOne($0, sql: "SELECT count(*) FROM plot_node WHERE level = ?", arguments: [level]) ?? 0
      }
    }
    #expect(try count(0) == 79)
    // Four rows of a thousand samples.
    _ = try await store.kept.purge(before: .at(4_000), maximumSize: .max)
    #expect(try count(0) == 79 - 4_000 / 128)
    #expect(try plot(buckets: 5)?.nodes.last?.last == .at(9_999))
    while try await store.kept.purge(before: .at(20_000), maximumSize: .max).rows > 0 {}
    #expect(try count(0) == 0 && count(4) == 0)
  }

  @Test func `a session that is deleted leaves no plot, and one that goes on has a new one`() async throws {
    try await keep(0..<1_000)
    _ = try await store.kept.delete([session])
    #expect(try plot(buckets: 5) == nil)
    try await keep(1_000..<2_000)
    #expect(try plot(buckets: 5)?.samples == 1_000)
  }

  @Test func `a log has a plot once all of it is published, until it is deleted`() async throws {
    let log = LogSession.example()
    try await store.logs.begin(log)
    try await store.logs.beginReadOut(of: log.id, expecting: 100)
    _ = try await store.logs.append(
      [UInt8](repeating: 1, count: 100), endsPage: true, to: log.id, entrySize: 1, at: .at(0))
    _ = try await store.logs.endReadOut(of: log.id, isFinished: true, received: 100)
    let reader = try #require(try ArchiveReader(directory: directory.path))
    func plot() throws -> StoredPlot? {
      try reader.plot(of: log.id, stream: "acceleration", from: nil, to: nil, buckets: 10)
    }
    var batch = SampleBatch.kept(count: 50, at: 0)
    batch.session = log.id
    try await store.publishing.publish([], of: log.id, upTo: LogCursor(position: 50), plotting: [batch])
    #expect(try plot() == nil)
    batch.sequence = 50
    try await store.publishing.publish([], of: log.id, upTo: LogCursor(position: 100), plotting: [batch])
    #expect(try plot()?.samples == 100)
    try await store.logs.noteCleared(log.id)
    #expect(try await store.logDeletion.delete([log.id], undelivered: true) == 1)
    #expect(try plot() == nil)
  }
}
