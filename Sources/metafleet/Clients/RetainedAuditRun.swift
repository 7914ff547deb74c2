import Dialects
import FleetModel

/// Looks at what the broker retains, says what should not be there, and removes it where that is wanted. Needs no
/// gateway, to remove only the right to write where gateways do.
struct RetainedAuditRun: Sendable {
  let isCleaning: Bool
  let isJSON: Bool

  func run(on session: ClientSession) async throws -> ExitStatus {
    var audit = RetainedAudit(base: session.settings.base)
    let removal = RetainedRemoval(session: session)
    try await session.subscribe(to: audit.filters, .atMostOnce)
    // Other base topics: where an access list does not show them, there are none to be found.
    for filter in audit.filtersOfOthers { try? await session.subscribe(to: [filter], .atMostOnce) }
    try await removal.awaitSilence(&audit)
    let elsewhere = audit.filtersElsewhere
    if !elsewhere.isEmpty {
      try await session.subscribe(to: elsewhere, .atMostOnce)
      try await removal.awaitSilence(&audit)
    }
    let findings = audit.findings
    for finding in findings { try report(finding) }
    guard isCleaning, findings.contains(where: \.isRemovable) else {
      note(findings, audit.count)
      return findings.isEmpty ? .ok : .no
    }
    let removed = try await remove(findings, &audit, removal)
    Console.note("metafleet: removed \(CountText.of(removed, "retained topic"))")
    return audit.findings.isEmpty ? .ok : .no
  }

  private func report(_ finding: RetainedFinding) throws(OutputFailure) {
    if isJSON { return try Console.line(JSONText.of(.object(finding.object))) }
    for line in finding.lines { try Console.line(line) }
  }

  private func note(_ findings: [RetainedFinding], _ count: Int) {
    guard !findings.isEmpty else {
      return Console.note(
        "metafleet: \(CountText.of(count, "retained topic")), all as they should be; what was altered so that it still "
          + "reads well only its gateway can tell")
    }
    let topics = findings.filter(\.isRemovable).reduce(0) { $0 + $1.topics.count }
    if topics > 0 {
      Console.note(
        "metafleet: nothing is removed yet; --clean removes \(CountText.of(topics, "retained topic"))")
    }
  }

  /// Returns how many were removed. What became right meanwhile stays; what was begun is removed whole: half of it
  /// would be found by nobody any more.
  private func remove(
    _ findings: [RetainedFinding], _ audit: inout RetainedAudit, _ removal: RetainedRemoval
  ) async throws -> Int {
    var removed: [String] = []
    for finding in findings where finding.isRemovable {
      for topic in audit.stillRemovable(finding) {
        try await removal.clear(topic, &audit, removed: removed.count)
        removed.append(topic)
      }
    }
    try await removal.awaitSilence(&audit)
    let left = Set(audit.removable).intersection(removed)
    guard left.isEmpty else { throw removal.denied("", removed: removed.count - left.count) }
    return removed.count
  }
}
