import Testing

@testable import metafleet

@Suite struct CompletionLineTests {
  /// Pieces as bash splits them, the place and what stands there before the cursor; then the words before, the word,
  /// and what bash is offered of three candidates.
  private static let cases: [([String], Int, String, [String], String, [String])] = [
    (["metafleet", "send", "gro"], 2, "gro", ["metafleet", "send"], "gro", ["group:all", "group:east"]),
    (["metafleet", "send", "group", ":"], 3, ":", ["metafleet", "send"], "group:", ["all", "east"]),
    (
      ["metafleet", "send", "group", ":"], 3, "", ["metafleet", "send"], "group", ["group:all", "group:east"]
    ),
    (["metafleet", "send", "group", ":", "e"], 4, "e", ["metafleet", "send"], "group:e", ["east"]),
    (["metafleet", "send", "group:e"], 2, "group:e", ["metafleet", "send"], "group:e", ["group:east"]),
    (["metafleet", "send", ""], 2, "", ["metafleet", "send"], "", ["group:all", "group:east", "Pump 3"]),
    (["metafleet", "send", "Pump\\ 3"], 2, "Pump\\ ", ["metafleet", "send"], "Pump ", ["Pump 3"]),
    (["metafleet", "send", "'Pump 3'", "le"], 3, "le", ["metafleet", "send", "Pump 3"], "le", []),
    (
      ["metafleet", "send", "a", "led", "color", "=", "red", "p"], 7, "p",
      ["metafleet", "send", "a", "led", "color=red"], "p", []
    ),
  ]

  @Test func `words are put together, and what is offered goes where the shell wants it`() {
    for (pieces, index, prefix, words, unfinished, offers) in Self.cases {
      let line = CompletionLine(pieces, at: index, before: prefix)
      #expect(line.words == words, "\(pieces)")
      #expect(line.unfinished == unfinished, "\(pieces) \(prefix)")
      #expect(line.offers(of: ["group:all", "group:east", "Pump 3"]) == offers, "\(pieces) \(prefix)")
    }
  }

  @Test func `nonsense completes to nothing`() {
    #expect(CompletionLine([], at: 0, before: "x").offers(of: ["a"]) == ["a"])
    #expect(CompletionLine(["="], at: 5, before: "=").words.isEmpty)
  }
}
