import FleetModel
import Testing

@testable import metafleet

@Suite struct DiagnosisTests {
  private let report = DoctorReport(diagnoses: [
    .ok(.clock, "it is synchronised"),
    .broken(.rfkill, "hci0 is blocked", fix: "sudo rfkill unblock bluetooth"),
    .unchecked(.state, "it is another user's"), .warning(.helper, "not running\u{1B}[2J", fix: "start it"),
  ])

  @Test func `the worst comes first, a line each, with what to do`() {
    #expect(
      report.lines == [
        "broken", "  rfkill         hci0 is blocked. sudo rfkill unblock bluetooth", "warning",
        "  helper         not running\\u{1B}[2J. start it", "could not be checked",
        "  state          it is another user's", "ok", "  clock          it is synchronised",
      ])
  }

  @Test func `the status is that of what is broken, and of nothing else`() {
    #expect(report.status == .no)
    #expect(DoctorReport(diagnoses: report.diagnoses.filter { $0.verdict != .broken }).status == .ok)
  }

  @Test func `programs get an object`() {
    #expect(
      report.diagnoses.map { JSONText.of(.object($0.json)) }.prefix(2) == [
        #"{"check":"clock","verdict":"ok","text":"it is synchronised"}"#,
        #"{"check":"rfkill","verdict":"broken","text":"hci0 is blocked","fix":"sudo rfkill unblock bluetooth"}"#,
      ])
  }
}
