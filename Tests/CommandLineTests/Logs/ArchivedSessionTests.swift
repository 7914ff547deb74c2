import FleetModel
import Foundation
import Storage
import Testing

@testable import metafleet

@Suite struct ArchivedSessionTests {
  @Test func `what was logged and what was streamed are found together, or each by itself`() async throws {
    try await withScratchDirectory { directory in
      let log = try await LogExample.fill(directory.path, entries: 4)
      let store = try Store(directory: directory.path, executor: InlineExecutor())
      var random = SeededGenerator(seed: 9)
      var batch = SampleBatch(
        board: LogExample.board, stream: "switch", fields: [.init("pressed", "", .flag)],
        session: ULID(at: LogExample.start, using: &random), boot: 1, sequence: 0, gapBefore: 0,
        clock: ClockQuality(source: .arrival, errorMilliseconds: 1), configuration: nil)
      (batch.times, batch.values) = ([LogExample.start, LogExample.start + .seconds(3_600)], [0, 1])
      _ = try await store.outbox.exchange([], forDelivered: [], keeping: [batch], at: LogExample.start)
      try await store.close()
      let reader = try #require(try ArchiveReader(directory: directory.path))
      #expect(try ArchivedSession.all(in: reader).map(\.id) == [log.id, batch.session])
      #expect(try ArchivedSession.all(in: reader, of: .log).map(\.log?.id) == [log.id])
      #expect(try ArchivedSession.all(in: reader, of: .stream).map(\.stream?.id) == [batch.session])
      // A stream that goes on into the stretch counts, a log that began before it does not.
      let late = LogExample.start + .seconds(1_800)
      #expect(try ArchivedSession.all(in: reader, since: late).map(\.id) == [batch.session])
      #expect(try ArchivedSession.all(in: reader, until: LogExample.start).isEmpty)
    }
  }
}
