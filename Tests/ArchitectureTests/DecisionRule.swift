/// Whatever decides has a test: a pure file with branches, or with a name that promises decisions.
enum DecisionRule {
  /// Fewer branches than this are conveniences, tested with what they serve.
  static let branches = 4
  static let suffixes = [
    "Admission", "Audit", "Backoff", "Catalogue", "Codec", "Decoder", "Lane", "Machine", "Parsing", "Plan",
    "Reader",
    "Rule", "Schedule", "Throttle", "Tree", "Validation", "Window",
  ]

  /// Files of `sources` that decide and have neither `<name>Tests.swift` nor a test file that `groups` names for them
  /// and that mentions them.
  static func violations(
    in sources: [SourceFile], tests: [SourceFile], groups: [String: String]
  ) -> [Violation] {
    let byName = Dictionary(grouping: tests, by: \.name)
    var missing: [Violation] = []
    for file in sources where decides(file) && byName["\(file.subject)Tests"] == nil {
      guard let group = groups[file.subject] else {
        missing.append(Violation(file.path, "decides, but there is no \(file.subject)Tests.swift"))
        continue
      }
      if byName[group] == nil {
        missing.append(Violation(file.path, "is said to be tested by \(group).swift, which is no more"))
      }
    }
    return missing
  }

  /// Rows of `groups` that say nothing any more.
  static func needless(
    _ groups: [String: String], sources: [SourceFile], tests: [SourceFile]
  ) -> [String] {
    let subjects = Set(sources.filter(decides).map(\.subject)).subtracting(
      tests.map { $0.name.dropLast(5) }.map(String.init))
    return groups.keys.filter { !subjects.contains($0) }.sorted()
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
