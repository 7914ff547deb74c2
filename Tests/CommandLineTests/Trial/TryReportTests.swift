import Testing

@testable import metafleet

@Suite struct TryReportTests {
  @Test func `the first step that failed decides the status; what was left out decides nothing`() {
    var report = TryReport()
    #expect(report.status == .ok)
    report.add(.done(.scan, ""))
    report.add(.leftOut(.led, ""))
    #expect(report.status == .ok)
    report.add(.failed(.connect, "", .tryLater))
    report.add(.failed(.disconnect, ""))
    #expect(report.status == .tryLater)
    #expect(report.steps.map(\.kind) == [.scan, .led, .connect, .disconnect])
  }
}
