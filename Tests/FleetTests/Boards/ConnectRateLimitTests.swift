import Testing

@testable import Fleet

@Suite struct ConnectRateLimitTests {
  @Test(arguments: [0, 100, 2_000, 7_000])
  func `F02 twelve attempts in any minute, and no thirteenth`(pause: Int) {
    var budget = ConnectRateLimit()
    var starts: [Duration] = []
    var now = Duration.zero
    while starts.count < 100 {
      if let until = budget.pause(at: now) { now = until }
      budget.spend(at: now)
      starts.append(now)
      now += .milliseconds(pause)
    }
    for start in starts {
      #expect(starts.count { $0 >= start && $0 < start + .seconds(60) } <= 12)
    }
  }

  @Test func `whoever tries seldom never waits`() {
    var budget = ConnectRateLimit()
    for minute in 0..<100 {
      #expect(budget.pause(at: .seconds(6 * minute)) == nil)
      budget.spend(at: .seconds(6 * minute))
    }
  }
}
