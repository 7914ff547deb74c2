import FleetModel
import Testing

@testable import Fleet

/// When a download that fell short is tried again.
@Suite struct LogRetryTests {
  @Test
  func `F35 a read-out that broke off is tried three times more, later each time, then with the next visit`()
  {
    var retry = LogRetry()
    var pauses: [Int64] = []
    for _ in 1...5 {
      retry.ended(isComplete: false, isFinished: false, at: .at(0))
      pauses.append(retry.next.map { ($0 - .at(0)).wholeMilliseconds / 1_000 } ?? -1)
    }
    #expect(pauses == [30, 120, 480, -1, -1])
    retry.visited()
    #expect(retry == LogRetry())
  }

  @Test func `F34 a board that says it has told all is not asked again`() {
    var retry = LogRetry()
    retry.ended(isComplete: false, isFinished: true, at: .at(0))
    #expect(retry.next == nil && retry.failures == 0)
  }

  @Test func `success forgets failures`() {
    var retry = LogRetry()
    retry.ended(isComplete: false, isFinished: false, at: .at(0))
    #expect(!retry.allows(at: .at(29_999)) && retry.allows(at: .at(30_000)))
    retry.ended(isComplete: true, isFinished: true, at: .at(40_000))
    #expect(retry == LogRetry() && retry.allows(at: .at(0)))
  }
}
