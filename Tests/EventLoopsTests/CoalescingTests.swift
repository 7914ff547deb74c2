import Testing

@testable import EventLoops

@Suite struct CoalescingTests {
  @Test func restsOnlyAfterTrafficAndOnlyWhenAsked() {
    var coalescing = Coalescing()
    #expect(coalescing.rest(afterTraffic: true) == nil)
    coalescing.interval = .milliseconds(10)
    #expect(coalescing.rest(afterTraffic: true) == .milliseconds(10))
    #expect(coalescing.rest(afterTraffic: false) == nil)
  }

  @Test func doesNotRestWhileAnybodyWaitsForAnAnswer() {
    var coalescing = Coalescing(interval: .milliseconds(10), urgentWaits: 2)
    #expect(coalescing.rest(afterTraffic: true) == nil)
    coalescing.urgentWaits -= 1
    #expect(coalescing.rest(afterTraffic: true) == nil)
    coalescing.urgentWaits -= 1
    #expect(coalescing.rest(afterTraffic: true) == .milliseconds(10))
  }
}
