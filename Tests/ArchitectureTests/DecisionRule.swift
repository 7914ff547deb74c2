/// Whatever decides has a test: a pure file with branches, or with a name that promises decisions.
enum DecisionRule {
  /// Fewer branches than this are conveniences, tested with what they serve.
  static let branches = 4
  static let suffixes = [
    "Admission", "Audit", "Backoff", "Catalogue", "Codec", "Decoder", "Lane", "Machine", "Parsing", "Plan",
    "Reader", "Rule", "Schedule", "Throttle", "Tree", "Validation", "Window",
  ]

  /// Files of `sources` that decide and have neither a test file of their name nor one that `groups` names for them.
  static func violations(
    in sources: [SourceFile], tests: [SourceFile], groups: [String: String]
  ) -> [Violation] {
    let names = Set(tests.map(\.name))
    return sources.filter { decides($0) && names.isDisjoint(with: ownTests(of: $0)) }.compactMap { file in
      guard let group = groups[file.subject] else {
        return Violation(file.path, "decides, but there is no \(file.subject)Tests.swift")
      }
      if names.contains(group) { return nil }
      return Violation(file.path, "is said to be tested by \(group).swift, which is no more")
    }
  }

  /// Rows of `groups` that say nothing any more.
  static func needless(
    _ groups: [String: String], sources: [SourceFile], tests: [SourceFile]
  ) -> [String] {
    let names = Set(tests.map(\.name))
    let needed = sources.filter { decides($0) && names.isDisjoint(with: ownTests(of: $0)) }.map(\.subject)
    return groups.keys.filter { !needed.contains($0) }.sorted()
  }

  /// `BackoffTests`; of `Backoff+jitter` also `BackoffJitterTests`.
  static func ownTests(of file: SourceFile) -> [String] {
    let aspect = file.name.dropFirst(file.subject.count + 1)
    return [
      "\(file.subject)Tests", "\(file.subject)\(aspect.prefix(1).uppercased())\(aspect.dropFirst())Tests",
    ]
  }

  static func decides(_ file: SourceFile) -> Bool {
    guard !Effect.allCases.contains(where: { $0.occurs(in: file) }) else { return false }
    return suffixes.contains { file.subject.hasSuffix($0) } || branches(of: file) >= branches
  }

  private static func branches(of file: SourceFile) -> Int {
    let words: Set<String> = ["for", "guard", "if", "repeat", "switch", "while"]
    // A question mark that stands alone is the conditional operator.
    return file.count { words.contains($0) } + file.positions(of: "?").count { !file.code[$0].isGlued }
  }
}
