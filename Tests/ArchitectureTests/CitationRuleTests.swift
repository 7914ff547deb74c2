import Testing

@Suite struct CitationRuleTests {
  @Test func `everything that is cited is there`() {
    let found = CitedFiles.citations.flatMap {
      CitationRule.violations(in: $0.value, at: $0.key, targets: CitedFiles.targets)
    }
    #expect(found.sorted { $0.path < $1.path } == [])
  }

  @Test func `nothing that can be cited is defined twice`() {
    #expect(CitedFiles.targets.repeated == [])
  }

  @Test func `what is left out as a text of others is there, and cites nothing of ours`() {
    for path in CitedFiles.foreign {
      #expect(Repository.exists(path))
      let rest = CitationReader(Repository.text(path), at: path).citations.filter {
        if case .section(_, nil) = $0 { false } else { true }
      }
      #expect(rest == [], "\(path)")
    }
  }

  @Test func `sources cite a lot`() {
    let cited = CitedFiles.citations.filter { $0.key.hasPrefix("Sources/") }.flatMap(\.value)
    #expect(cited.count > 500)
  }

  // Planted. Numbers stand apart from their words, so that this file cites nothing itself.

  private static let planted = CitationTargets([
    "deploy/docs/reference/metamotion/a.md":
      "## 9. Chip\n### 9.6 Offsets\n| 0 | x |\n## 14. Data\n#### 0B pulse\n## 38. List\n13. drop\n3a. keep\n| T\(15) | t |",
    "deploy/docs/reference/fault-matrix.md":
      "## 1. Invariants\n| I\(12) | loss |\n| F\(61) | loop |\n## 4. Ladder\n| 6 | power |",
    "deploy/docs/reference/firmware-update.md": "### 1.5 Packages\n| D\(13) | bomb |\n| U\(8) | counts |\n",
    "deploy/docs/mqtt-commands.md": "### 3.10 Life\n",
    "deploy/docs/mqtt-api.md": "## 4. Availability\n",
  ])

  private static func violations(_ text: String, at path: String = "Sources/Fleet/Planted.swift") -> [String]
  {
    CitationRule.violations(in: CitationReader(text, at: path).citations, at: path, targets: planted)
      .map(\.message).sorted()
  }

  @Test(arguments: [
    "/// Reads (protocol reference, section \(9.6)).",
    "/// (protocol\n  /// reference, sections \(9)\n  /// and \(9.6))",
    "// protocol reference \(38), item \(13); trap T\(15)",
    "/// (protocol reference, section \(14), type 0\("B"))",
    "/// (fault F\(61), invariant I\(12))", "/// (escalation ladder, rung \(6))",
    "@Test(\"F\(61) I\(12) it loops\")", "/// (fault D\(13), invariant U\(8); DFU reference \(1.5))",
    "/// MQTT contract 3.\(10); MQTT API, section \(4)", "/// By the protocol reference (section \(9.6)).",
    "/// MQTT 5, section \(77)", "/// \"Filters\", 1998, section \(1.2)",
    "/// tables of sections \(9) of the protocol reference",
  ])
  func `what is there may be cited`(text: String) { #expect(Self.violations(text) == []) }

  @Test(arguments: [
    "/// (protocol reference, section \(9.7))",
    "/// (protocol\n  /// reference, sections \(9)\n  /// and \(15))",
    "// protocol reference \(38), item \(12)", "/// (protocol reference, section \(14), type 0\("C"))",
    "/// (fault F\(62))", "/// (faults F\(61) and\n/// F\(63))", "/// (invariant I\(13))",
    "/// (trap T\(16))", "/// (fault D\(14))", "/// (invariant U\(9))", "/// (DFU reference, section \(1.6))",
    "/// (escalation ladder,\n/// rung \(7))", "@Test(\"F\(60) it loops\")", "/// MQTT contract 3.\(1)",
    "/// MQTT API \(5)",
    "/// Nothing says of what (section \(9.6)).", "/// By the protocol reference (section \(3)).",
    "/// tables of sections \(8) of the protocol reference",
  ])
  func `what is not there is found`(text: String) { #expect(Self.violations(text).count == 1) }

  @Test func `a section alone is one of the same document`() {
    let path = "deploy/docs/mqtt-api.md"
    #expect(Self.violations("As the contract has it, see section \(4).", at: path) == [])
    #expect(
      Self.violations("see section \(5)", at: path) == ["cites section 5 of MQTT API, which is not there"])
  }

  @Test func `mutations and the table of faults name sections as rows`() {
    #expect(Self.violations("Row: S\(14)\n", at: "Tests/Mutations/planted.edit") == [])
    #expect(Self.violations("| S\(15) | x |\n", at: "deploy/docs/faults.md").count == 1)
    #expect(Self.violations("let S\(15) = 1\n") == [])
  }

  @Test func `what is defined twice is found`() {
    let targets = CitationTargets([
      "deploy/docs/reference/metamotion/a.md": "## 9. Chip\n| T\(15) | t |\n",
      "deploy/docs/reference/metamotion/b.md": "### 9 Chip\n| T\(15) | t |\n",
    ])
    #expect(targets.repeated.count == 2)
  }

  @Test func `words go on across the lines of a comment`() {
    #expect(
      Prose.words(in: "  /// (rate_hz,\n  /// 3.10).\n| F\(61) |") == [
        "(", "rate_hz", ",", "3.10", ")", ".", "F\(61)", "|",
      ])
  }
}
