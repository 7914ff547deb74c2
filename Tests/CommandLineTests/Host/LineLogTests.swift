import FleetModel
import Logging
import Testing

@testable import metafleet

@Suite struct LineLogTests {
  @Test func `a reload changes what loggers say that were made before`() {
    let settings = LogSettings(LogConfiguration())
    let log = Logger(label: "test") { _ in LineLog(settings) }
    #expect(log.logLevel == .info)
    var other = LogConfiguration()
    other.level = .debug
    other.format = .json
    settings.change(to: other)
    #expect(log.logLevel == .debug && settings.configuration.format == .json)
  }

  @Test func `what the command line wants of the form stays`() {
    let settings = LogSettings(LogConfiguration(), format: .json)
    settings.change(to: LogConfiguration())
    #expect(settings.configuration.format == .json)
  }

  @Test func `a line has a time that people and programs read`() {
    let text = LineLog.dated("warning: no broker", Timestamp(milliseconds: 1_763_671_234_567))
    #expect(text == "2025-11-20T20:40:34.567Z warning: no broker")
  }

  @Test func `problems are remembered with that time`() {
    let problems = RecentProblems()
    let log = Logger(label: "test") { _ in LineLog(LogSettings(LogConfiguration()), problems: problems) }
    log.warning("no broker")
    #expect(problems.all.count == 1 && problems.all[0].hasSuffix("Z warning: no broker"))
  }

  @Test func `a logger may have a level of its own`() {
    var log = Logger(label: "test") { _ in LineLog(LogSettings(LogConfiguration())) }
    log.logLevel = .error
    #expect(log.logLevel == .error)
  }
}
