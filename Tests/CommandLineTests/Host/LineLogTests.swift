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

  @Test func `a logger may have a level of its own`() {
    var log = Logger(label: "test") { _ in LineLog(LogSettings(LogConfiguration())) }
    log.logLevel = .error
    #expect(log.logLevel == .error)
  }
}
