import Foundation

/// What is told of a seed.
enum SeedReport {
  /// `METAFLEET_TELL=1`: print everything that is observed.
  static let isTelling = ProcessInfo.processInfo.environment["METAFLEET_TELL"] != nil

  /// What somebody needs who has to mend it.
  static func text(_ script: SeededScript, _ outcome: SeededFleet.Outcome) -> String {
    """
    \(outcome.violations.prefix(10).map(\.description).joined(separator: "\n"))
    \(script)
    reproduce with: Tests/SeededFaults/run \(script.seed)
    """
  }
}
