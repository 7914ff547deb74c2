import Foundation
import Testing

/// Any number of seeds: the real fleet with everything going wrong around it, held against every invariant at every
/// moment.
@Suite struct SeededInvariantTests {
  @Test(arguments: SeedSelection.shards)
  func invariantsHold(shard: SeedSelection.Shard) throws {
    for seed in shard.seeds {
      let script = SeededScript(seed: seed)
      let outcome = try SeededFleet.play(script)
      guard !outcome.violations.isEmpty else { continue }
      Issue.record("\(SeedSelection.report(script, outcome))")
    }
  }
}
