import Testing

@testable import Fleet

/// MQTT contract 5, `log-level`.
@Suite struct LogLevelTests {
  @Test(
    arguments: [(69.9, nil), (70, .warning), (89.9, .warning), (90, .alarm), (100, .full)]
      as [(Double, LogLevel?)])
  func levels(percent: Double, level: LogLevel?) { #expect(LogLevel.of(percent) == level) }

  @Test func eachIsToldOnce() {
    #expect(LogLevel.crossed(to: 71, after: nil) == .warning)
    #expect(LogLevel.crossed(to: 75, after: .warning) == nil)
    #expect(LogLevel.crossed(to: 95, after: .warning) == .alarm)
    #expect(LogLevel.crossed(to: 100, after: nil) == .full)
    #expect(LogLevel.crossed(to: 75, after: .alarm) == nil)
    #expect(LogLevel.crossed(to: 10, after: nil) == nil)
  }
}
