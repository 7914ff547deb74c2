/// The test of a file lies where the file lies: folders of `Tests/FleetTests` are those of `Sources/Fleet`.
enum MirrorRule {
  /// Targets of tests that are not named after the one they test.
  private static let targets = ["CommandLineTests": "metafleet"]

  static func violations(in sources: [SourceFile], tests: [SourceFile]) -> [Violation] {
    let homes = Dictionary(
      grouping: sources.flatMap { file in DecisionRule.ownTests(of: file).map { ($0, file) } }
    ) {
      Key(target: $0.1.target, test: $0.0)
    }.mapValues { Set($0.map { folder(of: $0.1) }) }
    return tests.compactMap { test in
      guard let homes = homes[Key(target: target(of: test), test: test.name)],
        !homes.contains(folder(of: test))
      else { return nil }
      return Violation(
        test.path, "tests what lies in \(homes.sorted().map { $0.isEmpty ? "the target itself" : $0 }[0])")
    }
  }

  private struct Key: Hashable {
    let target: String
    let test: String
  }

  private static func target(of test: SourceFile) -> String {
    targets[test.target] ?? String(test.target.dropLast("Tests".count))
  }

  /// Below its target: `Boards` of `Sources/Fleet/Boards/Backoff.swift`.
  private static func folder(of file: SourceFile) -> String {
    file.path.split(separator: "/").dropFirst(2).dropLast().joined(separator: "/")
  }
}
