import Dialects
import Fleet
import FleetModel
import Foundation
import Storage
import Testing

@testable import metafleet

@Suite struct KeptReadingTests {
  /// So many samples of a second each, in rows of ten.
  private static func fill(_ directory: String, samples count: Int) async throws {
    let store = try Store(directory: directory, executor: InlineExecutor())
    var random = SeededGenerator(seed: 1)
    let session = ULID(at: LogExample.start, using: &random)
    let batches = stride(from: 0, to: count, by: 10).map { first -> SampleBatch in
      var batch = SampleBatch(
        board: LogExample.board, stream: "acceleration",
        fields: [.init("ax_g", "g", decimals: 3), .init("ay_g", "g", decimals: 3)], session: session, boot: 2,
        sequence: first, gapBefore: first == 10 ? 4 : 0,
        clock: ClockQuality(source: .arrival, errorMilliseconds: 6), configuration: nil)
      batch.times = (first..<min(count, first + 10)).map { LogExample.start + .seconds($0) }
      batch.values = (first..<min(count, first + 10)).flatMap { [Double($0) / 1_000, -1] }
      return batch
    }
    _ = try await store.outbox.exchange([], forDelivered: [], keeping: batches, at: LogExample.start)
    try await store.close()
  }

  private static func export(_ samples: Int, since: Int? = nil, until: Int? = nil) async throws -> [Substring]
  {
    try await withScratchDirectory { directory in
      try await fill(directory.path, samples: samples)
      let reader = try #require(try ArchiveReader(directory: directory.path))
      let kept = KeptReading(
        reader: reader, since: since.map { LogExample.start + .seconds($0) },
        until: until.map { LogExample.start + .seconds($0) }, streams: try reader.keptStreams())
      let export = try LogExport(
        [], kept: kept, only: [], decoding: LogDecoding(reader: reader, format: LogExample.format),
        format: .csv)
      var bytes: [UInt8] = []
      _ = try export.write([]) { bytes += $0 }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").filter { $0.hasPrefix("20") }
    }
  }

  @Test func `kept samples are rows like logged ones, with how far their times may be off`() async throws {
    let rows = try await Self.export(1_003)
    #expect(rows.count == 1_003)
    #expect(rows[0].hasPrefix("2025-11-20T20:36:40.000000Z,6,arrival,c0ffee000001,"), "\(rows[0])")
    #expect(rows[1].hasSuffix("0.001,-1"), "\(rows[1])")
  }

  @Test func `a stretch of time is cut out to the sample`() async throws {
    let rows = try await Self.export(100, since: 13, until: 25)
    #expect(rows.count == 12)
    #expect(rows.first?.contains(",13,") == true && rows.last?.contains(",24,") == true)
    #expect(try await Self.export(100, since: 100).isEmpty)
    #expect(try await Self.export(100, until: 0).isEmpty)
  }

  @Test func `what was cut away is not told as lost`() throws {
    var batch = SampleBatch(
      board: LogExample.board, stream: "s", fields: [.init("x", "")], session: LogExample.session().id,
      boot: 1,
      sequence: 5, gapBefore: 9, clock: ClockQuality(source: .arrival, errorMilliseconds: nil),
      configuration: nil)
    (batch.times, batch.values) = ((0..<3).map { LogExample.start + .seconds($0) }, [1, 2, 3])
    #expect(batch.cut(since: nil, until: nil) == batch)
    let rest = try #require(batch.cut(since: LogExample.start + .seconds(1), until: nil))
    #expect(rest.sequence == 6 && rest.gapBefore == 0 && rest.values == [2, 3])
    #expect(batch.cut(since: nil, until: LogExample.start + .seconds(1))?.gapBefore == 9)
  }
}
