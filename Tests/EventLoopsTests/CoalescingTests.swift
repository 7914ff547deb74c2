import Testing

@testable import EventLoops

@Suite struct CoalescingTests {
  @Test func restsAfterTrafficOnceNothingMoreIsThere() {
    var coalescing = Coalescing()
    coalescing.interval = .milliseconds(10)
    #expect(coalescing.looked(foundTraffic: false) == nil && !coalescing.isCollecting)
    #expect(coalescing.looked(foundTraffic: true) == nil && coalescing.isCollecting)
    #expect(coalescing.looked(foundTraffic: true) == nil && coalescing.isCollecting)
    #expect(coalescing.looked(foundTraffic: false) == .milliseconds(10) && !coalescing.isCollecting)
    #expect(coalescing.looked(foundTraffic: false) == nil)
  }

  @Test func neverRestsUnlessAsked() {
    var coalescing = Coalescing()
    #expect(coalescing.looked(foundTraffic: true) == nil && !coalescing.isCollecting)
    #expect(coalescing.looked(foundTraffic: false) == nil)
  }

  @Test func doesNotRestWhileAnybodyWaitsForAnAnswer() {
    var coalescing = Coalescing()
    coalescing.interval = .milliseconds(10)
    coalescing.urgentWaits = 1
    _ = coalescing.looked(foundTraffic: true)
    #expect(coalescing.looked(foundTraffic: false) == nil)
    coalescing.urgentWaits = 0
    _ = coalescing.looked(foundTraffic: true)
    #expect(coalescing.looked(foundTraffic: false) == .milliseconds(10))
  }
}
