import Testing

@testable import Fleet

@Suite struct BackoffTests {
  private static let delayCases: [(Int, Double, Duration)] = [
    (0, 0.5, .milliseconds(250)), (1, 0, .milliseconds(250)), (2, 0.9, .milliseconds(500)),
    (3, 0, .seconds(1)), (9, 0.99, .seconds(1)), (10, 0.5, .seconds(30)), (11, 0.5, .seconds(60)),
    (12, 0.5, .seconds(120)), (13, 0.5, .seconds(240)), (14, 0.5, .seconds(300)), (15, 0.5, .seconds(300)),
    (.max, 0.5, .seconds(300)), (10, 0, .seconds(24)), (14, 0, .seconds(240)),
  ]

  @Test(arguments: delayCases)
  func `F02 transient for nine failures, then slow`(failures: Int, jitter: Double, delay: Duration) {
    #expect(Backoff.delay(afterFailures: failures, jitter: jitter) == delay)
  }

  @Test func `F162 what was refused is tried again after minutes, more of them each time, at most fifteen`() {
    let delays = (1...7).map { Backoff.delay(afterRefusals: $0, jitter: 0.5) }
    #expect(delays == [60, 120, 240, 480, 900, 900, 900].map { .seconds($0) })
    #expect(Backoff.delay(afterRefusals: .max, jitter: 0.5) == .seconds(900))
  }

  @Test func `F02 the slow wait is jittered by a fifth either way, the fast one is not`() {
    #expect(Backoff.delay(afterFailures: 5, jitter: 0) == Backoff.delay(afterFailures: 5, jitter: 0.999))
    for failures in 10...20 {
      let least = Backoff.delay(afterFailures: failures, jitter: 0)
      let most = Backoff.delay(afterFailures: failures, jitter: 0.999_999)
      #expect(most > least && most <= .seconds(360) && least >= .seconds(24))
    }
  }

  @Test(
    arguments: [0, 0.5, 0.999])
  func `F02 no hot loop: at most twelve attempts in any minute, even if each fails at once`(jitter: Double) {
    var starts: [Duration] = []
    var now = Duration.zero
    for failures in 1...40 {
      starts.append(now)
      now += Backoff.delay(afterFailures: failures, jitter: jitter)
    }
    for start in starts {
      #expect(starts.count { $0 >= start && $0 < start + .seconds(60) } <= 12)
    }
  }
}
