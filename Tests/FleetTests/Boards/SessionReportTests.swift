import BoardKit
import FleetModel
import Testing

@testable import Fleet

/// Reports that are events as they are (MQTT contract 5).
@Suite struct SessionReportTests {
  @Test func `a stream that falls silent and comes back is told`() {
    #expect(
      SessionReport.silence(stream: "steps", isSilent: true).draft
        == EventDraft(.streamSilent, "silent", fields: ["stream": "steps"]))
    #expect(SessionReport.silence(stream: "steps", isSilent: false).draft?.type == "recovered")
    #expect(SessionReport.rate(stream: "steps", nil).draft?.type == "recovered")
  }

  @Test func `values that no sensor can measure are told, and how many were left out`() {
    let report = SessionReport.impossible(
      stream: "pressure", ImpossibleValue(field: "pressure_pa", value: -1))
    #expect(report.draft?.kind == .dataQuality && report.draft?.type == "impossible-value")
    #expect(SessionReport.possible(stream: "pressure", leftOut: 4).draft?.fields["count"] == 4)
  }

  @Test func `what is missing is a gap with its place, number and reason`() {
    let missed = LostSamples(count: 4, from: .at(0), to: .at(100), since: .zero)
    func reason(isOverflow: Bool) -> JSONValue? {
      SessionReport.missed(
        stream: "steps", session: .seeded(1), missed, isOverflow: isOverflow
      ).draft?.fields["reason"]
    }
    #expect(reason(isOverflow: true) == "overflow" && reason(isOverflow: false) == "radio")
    let gap = EventDraft.gap(
      in: "steps", StreamInterruption(session: .seeded(1), lastSample: .at(0)), until: .at(100), count: -1,
      reason: .boardReset)
    #expect(gap.fields["from_ms"] == .integer(Timestamp.at(0).milliseconds) && gap.fields["count"] == -1)
  }

  @Test func `a report that the supervisor has to judge is no event by itself`() {
    #expect(SessionReport.ordersApplied.draft == nil && SessionReport.agendaDone.draft == nil)
  }
}
