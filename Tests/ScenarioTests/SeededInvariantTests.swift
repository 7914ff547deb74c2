import Testing

/// Any number of seeds: the real fleet with everything going wrong around it, held against every invariant at every
/// moment (`SeedSelection` says how to choose them).
@Suite struct SeededInvariantTests {
  @Test(arguments: SeedSelection.shards)
  func invariantsHold(shard: SeedSelection.Shard) throws {
    for seed in shard.seeds {
      let script = SeededScript(seed: seed)
      let outcome = try SeededFleet.play(script)
      if !outcome.violations.isEmpty { Issue.record("\(SeedSelection.report(script, outcome))") }
    }
  }

  @Test(arguments: [3, 7, 16] as [UInt64])
  func theSameSeedIsTheSameRun(seed: UInt64) throws {
    let first = try SeededFleet.play(SeededScript(seed: seed))
    let second = try SeededFleet.play(SeededScript(seed: seed))
    #expect(first.digest == second.digest, "seed \(seed)")
    #expect(first.jobs == second.jobs && first.duration == second.duration, "seed \(seed)")
  }

  @Test func anotherSeedIsAnotherRun() throws {
    #expect(
      try SeededFleet.play(SeededScript(seed: 3)).digest != SeededFleet.play(SeededScript(seed: 4)).digest)
  }

  @Test func everyKindOfFaultIsTried() {
    let kinds = (1...100).flatMap { SeededScript(seed: $0).steps }.map { step in
      String("\(step.fault)".prefix { $0 != "(" })
    }
    #expect(Set(kinds).count == 26, "\(Set(kinds).sorted())")
  }
}
