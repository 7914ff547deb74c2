import FleetModel
import Testing

@testable import Fleet

@Suite struct PollRetriesTests {
  @Test func `F208 what brought nothing is tried again after a minute, two, four, eight and then every 15`() {
    var retries = PollRetries()
    var now = Duration.seconds(1_000)
    for (count, minutes) in [1, 2, 4, 8, 15, 15].enumerated() {
      let isNew = retries.failed("battery", at: now)
      #expect(isNew == (count == 0))
      let before = now + .seconds(minutes * 60 - 1)
      #expect(!retries.allows("battery", at: before) && retries.allows("humidity", at: before))
      let early = retries.takeDue("battery", at: before)
      now += .seconds(minutes * 60)
      #expect(!early && retries.allows("battery", at: now))
    }
    retries.ended("battery")
    #expect(retries.isEmpty && retries.allows("battery", at: now))
    let again = retries.failed("battery", at: now)
    #expect(again)
  }

  @Test func `what is tried again is taken once`() {
    var retries = PollRetries()
    _ = retries.failed("a", at: .zero)
    let first = retries.takeDue("a", at: .seconds(60))
    let second = retries.takeDue("a", at: .seconds(61))
    #expect(first && !second && retries.isRetry("a") && !retries.isRetry("b"))
    _ = retries.failed("a", at: .seconds(61))
    #expect(!retries.isRetry("a"))
  }
}
