import FleetModel
import Testing

@testable import Fleet

@Suite struct CommandRateLimitTests {
  private static let board = CommandTarget.board(.number(1))

  @Test(arguments: [1, 60, 600])
  func `F86 a minute's worth at once, then as many as the minute brings`(perMinute: Int) {
    var rate = CommandRateLimit()
    var taken = 0
    for step in 0..<1_200 {
      while rate.take(for: Self.board, perMinute: perMinute, at: .milliseconds(step * 100)) == nil {
        taken += 1
      }
    }
    #expect((perMinute * 3 - 1...perMinute * 3).contains(taken))
  }

  @Test(arguments: [1, 7, 600])
  func `F86 who is sent away and comes when told is let in`(perMinute: Int) {
    var rate = CommandRateLimit()
    var now = Duration.zero
    for _ in 1...(perMinute * 3) {
      if let stay = rate.take(for: Self.board, perMinute: perMinute, at: now) {
        now += stay
        #expect(rate.take(for: Self.board, perMinute: perMinute, at: now) == nil)
      }
    }
  }

  @Test func `F86 a crowd that is sent away is told different times, within a minute, which all work`() {
    var rate = CommandRateLimit()
    for _ in 1...60 { #expect(rate.take(for: Self.board, perMinute: 60, at: .zero) == nil) }
    let stays = (1...50).compactMap { _ in rate.take(for: Self.board, perMinute: 60, at: .zero) }
    #expect(Set(stays).count == 50 && stays.allSatisfy { $0 <= .seconds(60) })
    for stay in stays { #expect(rate.take(for: Self.board, perMinute: 60, at: stay) == nil) }
  }

  @Test func `F86 each target has a bucket of its own, and thousands of them are forgotten again`() {
    var rate = CommandRateLimit()
    for number in 1...5_000 {
      let board = CommandTarget.board(.number(number))
      #expect(rate.take(for: board, perMinute: 1, at: .seconds(number)) == nil)
    }
    #expect(rate.take(for: .board(.number(5_000)), perMinute: 1, at: .seconds(5_001)) != nil)
  }
}
