import Testing

@testable import Fleet

@Suite struct BacklogRateLimitTests {
  /// Sends as much as it may, every 10 ms, and returns how much has gone after each full second.
  private func drained(_ pace: inout BacklogRateLimit, backlog: Int, seconds: Int, newPerSecond: Int = 0)
    -> [Int]
  {
    var left = backlog
    var gone = 0
    return (0..<seconds).map { second in
      for step in 0..<100 {
        let now = Duration.milliseconds(second * 1_000 + step * 10)
        let new = newPerSecond / 100
        pace.entered(new)
        left += new
        let count = min(left, pace.allowance(at: now))
        pace.spent(count)
        left -= count
        gone += count
      }
      return gone
    }
  }

  @Test func `another number counts from the next second on`() {
    var pace = BacklogRateLimit(perSecond: 500, at: .zero)
    pace.spent(pace.allowance(at: .zero))
    pace.change(perSecond: 10)
    #expect(pace.allowance(at: .seconds(1)) == 10)
    #expect(drained(&pace, backlog: 100_000, seconds: 20)[19] <= 10 * 22)
  }

  @Test func `F60 a backlog leaves at so many messages a second`() {
    var pace = BacklogRateLimit(perSecond: 500, at: .zero)
    let gone = drained(&pace, backlog: 100_000, seconds: 20)
    for (second, count) in gone.enumerated() { #expect(count <= 500 * (second + 3)) }
    #expect(gone[19] >= 500 * 20)
  }

  @Test func `F60 what comes in during the drain passes on top`() {
    var pace = BacklogRateLimit(perSecond: 500, at: .zero)
    let gone = drained(&pace, backlog: 100_000, seconds: 20, newPerSecond: 300)
    #expect(gone[19] >= 800 * 20 - 1_000 && gone[19] <= 800 * 20 + 1_500)
  }

  @Test func `F60 an outage saves up no burst`() {
    var pace = BacklogRateLimit(perSecond: 500, at: .zero)
    for _ in 0..<1_000 { pace.entered(100) }
    pace.opened(at: .seconds(3 * 86_400))
    #expect(pace.allowance(at: .seconds(3 * 86_400)) <= 500)
    #expect(pace.allowance(at: .seconds(4 * 86_400)) <= 1_000)
  }

  @Test func `F60 what comes in at once passes at once, however much it is`() {
    var pace = BacklogRateLimit(perSecond: 500, at: .zero)
    pace.spent(pace.allowance(at: .zero))
    for _ in 0..<1_500 { pace.entered(1) }
    #expect(pace.allowance(at: .zero) == 1_500)
    pace.spent(100)
    #expect(pace.allowance(at: .milliseconds(1)) == 1_400)
  }

  @Test func `who may send nothing is told when to try again`() {
    var pace = BacklogRateLimit(perSecond: 10, at: .zero)
    let first = pace.allowance(at: .zero)
    pace.spent(first)
    #expect(pace.allowance(at: .zero) == 0)
    #expect(pace.wait == .milliseconds(100))
    #expect(pace.allowance(at: .milliseconds(100)) == 1)
  }

  @Test(arguments: [0, -5, 1])
  func `a rate of nothing still drains`(perSecond: Int) {
    var pace = BacklogRateLimit(perSecond: perSecond, at: .zero)
    pace.spent(pace.allowance(at: .zero))
    #expect(pace.wait <= .seconds(1))
    #expect(pace.allowance(at: .seconds(1)) == 1)
  }
}
