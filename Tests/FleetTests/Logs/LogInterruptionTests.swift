import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct LogInterruptionTests {
  private func run(boot: Int = 4, resetID: Int = 7, started: Int64 = 0) -> LogSession {
    LogSession(
      id: .seeded(1), board: .number(1), started: .at(started), streams: [], boot: boot, resetID: resetID)
  }

  private func interruption(
    since earlier: LogSession?, lastRead: Timestamp? = nil, overflow: Timestamp? = nil
  ) -> LogInterruption? {
    LogInterruption(since: earlier, before: run(), lastRead: lastRead, overflow: overflow)
  }

  @Test
  func `F39 a reset took what was not on the flash: missing since the last look, or since the run began`() {
    var expected = LogInterruption(since: run(boot: 3), before: run(), lastRead: .at(500), overflow: nil)
    #expect(expected?.from == .at(500) && expected?.reason == "board-reset")
    #expect(
      interruption(since: run(resetID: 6), lastRead: .at(500)) == expected, "that the board alone counted")
    expected?.from = .at(0)
    #expect(interruption(since: run(boot: 3)) == expected)
    #expect(interruption(since: run(boot: 3), lastRead: .at(-5)) == expected)
    #expect(interruption(since: run(boot: 3), lastRead: .at(-5), overflow: .at(9)) == expected)
  }

  @Test func `a full log lost what came since it was full`() {
    let full = interruption(since: run(), lastRead: .at(500), overflow: .at(300))
    #expect(full?.from == .at(300) && full?.reason == "overflow")
    #expect(interruption(since: nil, overflow: .at(300)) == full)
  }

  @Test func `otherwise nothing is missing`() {
    #expect(interruption(since: nil) == nil)
    #expect(interruption(since: run(), lastRead: .at(500)) == nil)
  }
}
