import Testing

@testable import Fleet

@Suite struct ReadOutRetriesTests {
  @Test func `F110 a log is read out three times in a row without getting on, and as often as it gets on`() {
    var retries = ReadOutRetries(complete: 10)
    #expect([10, 10, 10].map { retries.ended(complete: $0) } == [true, true, false])
    retries = ReadOutRetries(complete: 10)
    #expect(
      [10, 20, 20, 30, 30, 30].map { retries.ended(complete: $0) } == [true, true, true, true, true, false])
  }
}
