import Testing

@Suite struct WordRuleTests {
  @Test func `older words do not come back`() {
    #expect(WordRule.violations(in: Repository.sources, allowed: WordRule.allowances) == [])
  }

  @Test(arguments: [
    "let dutyAlarm = 1", "struct AirtimePlan {}", "func sighted() {}", "case stranger",
    #"log.info("the board is resting")"#, #"log.info("a board says goodbye: \(name)")"#,
    "let text = \"\"\"\n  a wish\n  \"\"\"", #"throw Failure("\(board) is a stranger")"#,
    #"note("\(household.name)")"#,
  ])
  func `an older word in a name or a sentence is found`(text: String) {
    let file = SourceFile(path: "Sources/Fleet/Planted.swift", text: text)
    #expect(WordRule.violations(in: [file], allowed: []).count == 1)
  }

  @Test(arguments: [
    "// The heartbeat of a stranger", "/* airtime */", "let bellows = 1", "struct Dutyfree {}",
    "let airtimes = 1",
  ])
  func `comments and words that only begin alike are none`(text: String) {
    let file = SourceFile(path: "Sources/Fleet/Planted.swift", text: text)
    #expect(WordRule.violations(in: [file], allowed: []) == [])
  }

  @Test func `an allowance is for one file, and goes when nothing needs it`() {
    let duty = WordRule.Allowance(word: "duty", file: "Fleet/Planted.swift", reason: "a test")
    let file = SourceFile(path: "Sources/Fleet/Planted.swift", text: "let duty = 1")
    let other = SourceFile(path: "Sources/Fleet/Other.swift", text: "let duty = 1")
    #expect(WordRule.violations(in: [file], allowed: [duty]) == [])
    #expect(
      WordRule.violations(in: [file, other], allowed: [duty]).map(\.path) == ["Sources/Fleet/Other.swift"])
    #expect(WordRule.violations(in: [], allowed: [duty]).count == 1)
  }

  @Test func `every allowance has a reason, and is for a word of the list`() {
    #expect(WordRule.allowances.allSatisfy { !$0.reason.isEmpty && WordRule.older[$0.word] != nil })
    #expect(WordRule.older.keys.allSatisfy { $0 == $0.lowercased() })
  }

  @Test func `names come apart at their humps`() {
    #expect(
      WordRule.parts(of: "dutyAlarm RSSIReading read_back") == [
        "duty", "alarm", "rssi", "reading", "read", "back",
      ])
  }
}
