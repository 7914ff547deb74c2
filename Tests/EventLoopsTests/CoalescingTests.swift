import Testing

@testable import EventLoops

@Suite struct CoalescingTests {
  private static let start = ContinuousClock.now
  private static func at(_ milliseconds: Int) -> ContinuousClock.Instant {
    start + .milliseconds(milliseconds)
  }

  /// One that pauses for 100 ms, or 10 while answers are expected, and has just found that there is nothing more.
  private static func pausing() -> Coalescing {
    var coalescing = Coalescing()
    (coalescing.longest, coalescing.shortest) = (.milliseconds(100), .milliseconds(10))
    coalescing.polled(.all, at: start)
    return coalescing
  }

  @Test(arguments: [
    [(Coalescing.Finding.nothing, false), (.part, false), (.part, false), (.nothing, true)],
    [(.nothing, false), (.part, false), (.all, true)],
  ]) func `pauses after traffic once nothing more is there`(polls: [(Coalescing.Finding, pauses: Bool)]) {
    var coalescing = Coalescing()
    coalescing.longest = .milliseconds(100)
    for (finding, pauses) in polls {
      coalescing.polled(finding, at: Self.start)
      #expect(coalescing.isCollecting == (finding == .part))
      #expect((coalescing.pause(at: Self.start) != nil) == pauses)
    }
    #expect(coalescing.pause(at: Self.at(40)) == .milliseconds(60))
    #expect(coalescing.pause(at: Self.at(100)) == nil)
    #expect(coalescing.pause(at: Self.at(50)) == nil, "over is over")
    coalescing.polled(.nothing, at: Self.at(100))
    #expect(coalescing.pause(at: Self.at(100)) == nil)
  }

  @Test func `never pauses unless asked`() {
    var coalescing = Coalescing()
    for finding in [Coalescing.Finding.part, .nothing, .all] {
      coalescing.polled(finding, at: Self.start)
      #expect(!coalescing.isCollecting && coalescing.pause(at: Self.start) == nil)
    }
  }

  @Test func `does not pause while anybody waits for an answer`() {
    var coalescing = Self.pausing()
    #expect(coalescing.pause(at: Self.at(1)) != nil)
    coalescing.urgentWaits = 1
    #expect(coalescing.pause(at: Self.at(2)) == nil, "the pause ends")
    coalescing.urgentWaits = 0
    #expect(coalescing.pause(at: Self.at(3)) == nil)
  }

  @Test func `pauses shortly while an answer may come`() {
    var coalescing = Self.pausing()
    coalescing.eagerUntil = Self.at(50)
    #expect(coalescing.pause(at: Self.at(4)) == .milliseconds(6))
    #expect(coalescing.pause(at: Self.at(10)) == nil)
    coalescing = Self.pausing()
    coalescing.eagerUntil = Self.at(0)
    #expect(coalescing.pause(at: Self.at(4)) == .milliseconds(96))
  }
}
