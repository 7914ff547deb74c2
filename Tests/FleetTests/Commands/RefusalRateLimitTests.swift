import FleetModel
import Testing

@testable import Fleet

/// MQTT contract 3.1: refusals are limited to ten a second.
@Suite struct RefusalRateLimitTests {
  @Test(arguments: [1, 7, 50, 99, 100])
  func `F84 of a flood ten are answered in any second`(milliseconds: Int) {
    var budget = RefusalRateLimit()
    var answered: [Duration] = []
    for step in 0..<(5_000 / milliseconds) {
      let now = Duration.milliseconds(step * milliseconds)
      if budget.allows(at: now) { answered.append(now) }
    }
    for start in answered {
      #expect(answered.count { $0 >= start && $0 < start + .seconds(1) } <= 10)
    }
    #expect(answered.count >= 45, "and hardly fewer")
  }

  @Test func `who asks seldom is always answered`() {
    var budget = RefusalRateLimit()
    for second in 0..<100 { #expect(budget.allows(at: .milliseconds(second * 101)) == true) }
  }

  @Test func `after a flood it recovers`() {
    var budget = RefusalRateLimit()
    for _ in 0..<1_000 { _ = budget.allows(at: .zero) }
    #expect(budget.allows(at: .milliseconds(999)) == false)
    #expect(budget.allows(at: .seconds(1)) == true)
  }
}
