import Testing

@testable import Web

@Suite struct HealthReportTests {
  @Test func `F229 whatever stands still is named, and all else is fine`() {
    #expect(HealthReport(["a": .seconds(20), "b": .zero]).content == .text(200, ["ok"]))
    let report = HealthReport(["the thread disk": .seconds(31), "b": .zero, "a": .seconds(21)])
    #expect(
      report.content
        == .text(
          503, ["a has made no progress for 21 s", "the thread disk has made no progress for 31 s"]))
  }
}
