import Testing

@testable import metafleet

@Suite struct TerminalKeyTests {
  @Test(
    arguments: [
      ("q", [.character("q")]), ("R ", [.character("R"), .character(" ")]), ("\u{3}", [.interrupt]),
      ("\u{1B}[A\u{1B}[B", [.up, .down]), ("\u{1B}OA", [.up]), ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
      ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~", [.home, .end, .home, .end]), ("\u{1B}[1;5Cb", [.character("b")]),
      ("\u{1B}", [.escape]), ("\u{1B}[", []), ("\u{1B}[1;", []), ("\u{1B}x", [.character("x")]),
      ("\r\n\t\u{7F}", [.enter, .enter, .backspace]),
      ("aéb", [.character("a"), .character("é"), .character("b")]), ("", []),
      ("\u{1B}[?2026$yq", [.character("q")]),
    ] as [(String, [TerminalKey])])
  func `keys are told apart, sequences that mean nothing are skipped`(_ text: String, _ keys: [TerminalKey]) {
    #expect(TerminalKey.keys(in: Array(text.utf8)) == keys)
  }
}
