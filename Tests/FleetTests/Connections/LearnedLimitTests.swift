import Testing

@testable import Fleet

@Suite struct LearnedLimitTests {
  @Test func `one link more is tried after ten seconds, later each time, at most after ten minutes`() {
    var limit = LearnedLimit(links: 3, at: .zero)
    #expect(limit.doubtful == .seconds(10))
    for _ in 0..<20 { limit = LearnedLimit(links: 3, after: limit, at: .zero) }
    #expect(limit.doubtful == LearnedLimit.longestPause)
  }

  @Test func `fewer links are always allowed, as many only once it is doubtful`() {
    let limit = LearnedLimit(links: 3, at: .zero)
    #expect(limit.allows(moreThan: 2, at: .zero) && !limit.allows(moreThan: 3, at: .seconds(9)))
    #expect(limit.allows(moreThan: 3, at: .seconds(10)))
  }

  @Test func `more links disprove it`() {
    let limit = LearnedLimit(links: 3, at: .zero)
    #expect(limit.held(by: 3) == limit && limit.held(by: 4) == nil)
  }

  @Test func `where no link was up, one is allowed`() {
    #expect(LearnedLimit(links: 0, at: .zero).links == 1)
  }
}
