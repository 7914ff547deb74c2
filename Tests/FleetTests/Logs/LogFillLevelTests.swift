import Testing

@testable import Fleet

/// MQTT contract 5, `log-level`.
@Suite struct LogFillLevelTests {
  @Test(
    arguments: [(69.9, nil), (70, .warning), (89.9, .warning), (90, .alarm), (100, .full)]
      as [(Double, LogFillLevel?)])
  func `levels`(percent: Double, level: LogFillLevel?) { #expect(LogFillLevel.of(percent) == level) }

  @Test func `each is told once`() {
    #expect(LogFillLevel.crossed(to: 71, after: nil) == .warning)
    #expect(LogFillLevel.crossed(to: 75, after: .warning) == nil)
    #expect(LogFillLevel.crossed(to: 95, after: .warning) == .alarm)
    #expect(LogFillLevel.crossed(to: 100, after: nil) == .full)
    #expect(LogFillLevel.crossed(to: 75, after: .alarm) == nil)
    #expect(LogFillLevel.crossed(to: 10, after: nil) == nil)
  }
}
