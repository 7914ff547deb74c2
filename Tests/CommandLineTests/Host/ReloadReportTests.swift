import FleetModel
import Logging
import Testing

@testable import metafleet

@Suite struct ReloadReportTests {
  @Test func `what was applied and what needs a restart is named`() {
    let report = ReloadReport(
      .done(evidence: nil, data: ["changed": ["log", "lanes"], "needs_restart": [], "problems": []]))
    #expect(
      report.lines == [
        .init(
          level: .notice, message: "configuration reloaded",
          metadata: ["changed": "log,lanes", "needs_restart": "none"])
      ])
  }

  @Test func `what is wrong is named line by line, and that nothing changed`() {
    let report = ReloadReport(
      .failed(
        CommandFailure(
          .invalid, "the file has errors",
          data: [
            "problems": [
              ["path": "mqtt.port", "line": 2, "column": 9, "severity": "error", "text": "no port"],
              ["path": "", "severity": "warning", "text": "no effect"],
            ]
          ])))
    #expect(
      report.lines == [
        .init(level: .error, message: "no port", metadata: ["line": "2:9"]),
        .init(level: .warning, message: "no effect"),
        .init(
          level: .error, message: "reload failed; the old configuration stays in effect",
          metadata: ["reason": "the file has errors"]),
      ])
  }

  @Test func `who does not know says so`() {
    #expect(ReloadReport(.unknown(message: "?")).lines.map(\.level) == [.error])
  }
}
