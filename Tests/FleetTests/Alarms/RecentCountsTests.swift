import Testing

@testable import Fleet

@Suite struct RecentCountsTests {
  @Test func `counters are judged by how far they grew in the last quarter of an hour`() {
    var counts = RecentCounts()
    #expect(counts.take(.init(commandsFailed: 7), at: .zero).commandsFailed == 0)
    #expect(counts.take(.init(commandsFailed: 13), at: .seconds(30)).commandsFailed == 6)
    #expect(counts.take(.init(commandsFailed: 13), at: .seconds(899)).commandsFailed == 6)
    #expect(counts.take(.init(commandsFailed: 13), at: .seconds(931)).commandsFailed == 0)
  }
}
