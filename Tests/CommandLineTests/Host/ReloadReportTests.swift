import FleetModel
import Logging
import Testing

@testable import metafleet

@Suite struct ReloadReportTests {
  @Test func `what was applied and what needs a restart is named, key by key, behind what was found`() {
    let report = ReloadReport(
      .done(
        evidence: nil,
        data: [
          "changed": ["log", "lanes"], "needs_restart": ["mqtt"], "file": "f.yaml",
          "changes": [
            ["path": "log.level", "change": "changed", "applied": true],
            ["path": "mqtt.keepalive", "change": "changed", "applied": false],
          ],
          "problems": [["path": "", "line": 3, "column": 1, "severity": "warning", "text": "no effect"]],
        ]))
    #expect(
      report.lines == [
        .init(level: .warning, message: "f.yaml:3:1: warning: no effect"),
        .init(level: .notice, message: "log.level changed: applied"),
        .init(level: .notice, message: "mqtt.keepalive changed: not applied, needs a restart"),
        .init(
          level: .notice, message: "configuration reloaded",
          metadata: ["changed": "log,lanes", "needs_restart": "mqtt"]),
      ])
  }

  @Test func `what is wrong is named line by line, and that nothing changed`() {
    let report = ReloadReport(
      .failed(
        CommandFailure(
          .invalid, "the file has errors",
          data: [
            "file": "f.yaml",
            "problems": [
              ["path": "mqtt.port", "line": 2, "column": 9, "severity": "error", "text": "no port"],
              ["path": "", "severity": "warning", "text": "no effect"],
            ],
          ])))
    #expect(
      report.lines == [
        .init(level: .error, message: "f.yaml:2:9: error: no port"),
        .init(level: .warning, message: "f.yaml: warning: no effect"),
        .init(
          level: .error, message: "reload failed; the old configuration stays in effect",
          metadata: ["reason": "the file has errors"]),
      ])
  }

  @Test func `who does not know says so`() {
    #expect(ReloadReport(.unknown(message: "?")).lines.map(\.level) == [.error])
  }
}
