import Testing

@testable import metafleet

@Suite struct LiveScreenTests {
  private let size = TerminalSize(columns: 20, rows: 4)

  @Test func `lines are drawn over those of the last time`() {
    var screen = LiveScreen()
    #expect(screen.frame(["a", "b"], size) == "\ra\u{1B}[K\nb\u{1B}[K\n\u{1B}[J")
    #expect(screen.frame(["c"], size) == "\u{1B}[2A\rc\u{1B}[K\n\u{1B}[J")
    #expect(screen.frame([], size) == "\u{1B}[1A\r\u{1B}[J")
  }

  @Test func `what does not fit is counted`() {
    var screen = LiveScreen()
    #expect(screen.frame(["a", "b", "c", "d"], size) == "\ra\u{1B}[K\nb\u{1B}[K\n… 2 more\u{1B}[K\n\u{1B}[J")
    #expect(screen.frame(["a"], TerminalSize(columns: 1, rows: 1)) == "\u{1B}[2J\u{1B}[Ha\u{1B}[K\n\u{1B}[J")
  }
}
