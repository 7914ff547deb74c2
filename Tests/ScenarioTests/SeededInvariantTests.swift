import Support
import Testing

@testable import SeededFaults

/// The first seeds of `Tests/SeededFaults/run`: the real fleet with everything going wrong around it, held against
/// every invariant at every moment.
@Suite(.ownThread) struct SeededInvariantTests {
  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `invariants hold`(seed: UInt64) throws {
    let script = SeededScript(seed: seed)
    let outcome = try SeededFleet.play(script)
    #expect(outcome.violations.isEmpty, "\(SeedReport.text(script, outcome))")
  }

  @Test(arguments: [3, 7, 16] as [UInt64])
  func `the same seed is the same run`(seed: UInt64) throws {
    let first = try SeededFleet.play(SeededScript(seed: seed))
    let second = try SeededFleet.play(SeededScript(seed: seed))
    #expect(first.digest == second.digest, "seed \(seed)")
    #expect(first.jobs == second.jobs && first.duration == second.duration, "seed \(seed)")
  }

  @Test func `another seed is another run`() throws {
    #expect(
      try SeededFleet.play(SeededScript(seed: 3)).digest != SeededFleet.play(SeededScript(seed: 4)).digest)
  }

  @Test func `every kind of fault is tried`() {
    let kinds = (1...100).flatMap { SeededScript(seed: $0).steps }.map { step in
      String("\(step.fault)".prefix { $0 != "(" })
    }
    #expect(Set(kinds).count == 27, "\(Set(kinds).sorted())")
  }
}
