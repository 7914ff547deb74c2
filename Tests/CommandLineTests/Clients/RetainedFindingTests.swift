import FleetModel
import Testing

@testable import metafleet

@Suite struct RetainedFindingTests {
  @Test func `F85 a finding is printed without what a broker's text could do to a terminal`() {
    let finding = RetainedFinding(
      kind: .unknown, subject: "other topics", topics: ["m/gateway/\u{1B}[2J/x"], sentence: "what")
    #expect(finding.lines.allSatisfy { !$0.contains("\u{1B}") })
  }

  @Test(arguments: RetainedFinding.Kind.allCases)
  func `F261 only what is left over is removed`(kind: RetainedFinding.Kind) {
    let finding = RetainedFinding(kind: kind, subject: "x", topics: ["a"], sentence: "y")
    #expect(finding.isRemovable == [.passing, .board, .renamed].contains(kind))
    #expect(
      finding.object == [
        "kind": .string(kind.rawValue), "subject": "x", "removable": .bool(finding.isRemovable),
        "topics": ["a"], "message": "y",
      ])
  }
}
