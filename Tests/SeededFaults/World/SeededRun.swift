/// A seed, played from outside of this target.
package enum SeededRun {
  /// Whether every invariant held with `seed`; prints what did not.
  package static func holds(_ seed: UInt64) throws -> Bool {
    let script = SeededScript(seed: seed)
    let outcome = try SeededFleet.play(script)
    if !outcome.violations.isEmpty { print("FAIL \(SeedReport.text(script, outcome))") }
    return outcome.violations.isEmpty
  }
}
