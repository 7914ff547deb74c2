import Foundation

/// Which seeds to run: a few beside all other tests, or what the environment says; `deploy/test` says a thousand.
///
///     METAFLEET_SEED=42 swift test --filter SeededInvariantTests           # one, to reproduce it
///     METAFLEET_SEED=42 METAFLEET_TELL=1 swift test …                      # and tell all that happens
///     METAFLEET_STRIDE=1 swift test --filter SeededRestartTests            # die at really every step
///     METAFLEET_SEEDS=5000..9999 swift test --filter SeededInvariantTests  # any number
enum SeedSelection {
  /// Seeds that run one after the other; shards run beside each other.
  struct Shard: Sendable, CustomStringConvertible {
    var seeds: [UInt64]
    var description: String { "\(seeds.first ?? 0)…\(seeds.last ?? 0)" }
  }

  /// `METAFLEET_TELL=1`: print everything that is observed.
  static let isTelling = ProcessInfo.processInfo.environment["METAFLEET_TELL"] != nil

  static let standard: ClosedRange<UInt64> = 1...40

  static var shards: [Shard] {
    let all = selected(ProcessInfo.processInfo.environment)
    let size = max(1, (all.count + 19) / 20)
    return stride(from: 0, to: all.count, by: size).map {
      Shard(seeds: Array(all[$0..<min($0 + size, all.count)]))
    }
  }

  /// Of the steps of a scene every so many-th is one to die at; a prime, so that all of its rhythms are met.
  static let everyStep = ProcessInfo.processInfo.environment["METAFLEET_STRIDE"].flatMap(Int.init) ?? 61

  static func selected(_ environment: [String: String]) -> [UInt64] {
    if let seed = environment["METAFLEET_SEED"].flatMap(UInt64.init) { return [seed] }
    let bounds = (environment["METAFLEET_SEEDS"] ?? "").split(separator: "..").compactMap { UInt64($0) }
    guard bounds.count == 2, bounds[0] <= bounds[1] else { return Array(standard) }
    return Array(bounds[0]...bounds[1])
  }

  /// What somebody needs who has to mend it.
  static func report(_ script: SeededScript, _ outcome: SeededFleet.Outcome) -> String {
    """
    \(outcome.violations.prefix(10).map(\.description).joined(separator: "\n"))
    \(script)
    reproduce with: METAFLEET_SEED=\(script.seed) swift test --filter SeededInvariantTests
    """
  }
}
