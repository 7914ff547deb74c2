import Testing

@testable import EventLoops

@Suite struct CoalescingTests {
  private static let start = ContinuousClock.now
  private static func at(_ milliseconds: Int) -> ContinuousClock.Instant {
    start + .milliseconds(milliseconds)
  }

  /// One that rests for 100 ms, or 10 while answers are expected, and has just found that there is nothing more.
  private static func resting() -> Coalescing {
    var coalescing = Coalescing()
    (coalescing.longest, coalescing.shortest) = (.milliseconds(100), .milliseconds(10))
    coalescing.looked(.all, at: start)
    return coalescing
  }

  @Test(arguments: [
    [(Coalescing.Finding.nothing, false), (.part, false), (.part, false), (.nothing, true)],
    [(.nothing, false), (.part, false), (.all, true)],
  ]) func restsAfterTrafficOnceNothingMoreIsThere(looks: [(Coalescing.Finding, rests: Bool)]) {
    var coalescing = Coalescing()
    coalescing.longest = .milliseconds(100)
    for (finding, rests) in looks {
      coalescing.looked(finding, at: Self.start)
      #expect(coalescing.isCollecting == (finding == .part))
      #expect((coalescing.rest(at: Self.start) != nil) == rests)
    }
    #expect(coalescing.rest(at: Self.at(40)) == .milliseconds(60))
    #expect(coalescing.rest(at: Self.at(100)) == nil)
    #expect(coalescing.rest(at: Self.at(50)) == nil, "over is over")
    coalescing.looked(.nothing, at: Self.at(100))
    #expect(coalescing.rest(at: Self.at(100)) == nil)
  }

  @Test func neverRestsUnlessAsked() {
    var coalescing = Coalescing()
    for finding in [Coalescing.Finding.part, .nothing, .all] {
      coalescing.looked(finding, at: Self.start)
      #expect(!coalescing.isCollecting && coalescing.rest(at: Self.start) == nil)
    }
  }

  @Test func doesNotRestWhileAnybodyWaitsForAnAnswer() {
    var coalescing = Self.resting()
    #expect(coalescing.rest(at: Self.at(1)) != nil)
    coalescing.urgentWaits = 1
    #expect(coalescing.rest(at: Self.at(2)) == nil, "the rest ends")
    coalescing.urgentWaits = 0
    #expect(coalescing.rest(at: Self.at(3)) == nil)
  }

  @Test func restsShortlyWhileAnAnswerMayCome() {
    var coalescing = Self.resting()
    coalescing.eagerUntil = Self.at(50)
    #expect(coalescing.rest(at: Self.at(4)) == .milliseconds(6))
    #expect(coalescing.rest(at: Self.at(10)) == nil)
    coalescing = Self.resting()
    coalescing.eagerUntil = Self.at(0)
    #expect(coalescing.rest(at: Self.at(4)) == .milliseconds(96))
  }
}
