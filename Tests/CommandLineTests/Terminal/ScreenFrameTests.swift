import Testing

@testable import metafleet

@Suite struct ScreenFrameTests {
  private let size = TerminalSize(columns: 10, rows: 3)

  @Test func `the first picture clears, the next writes what changed`() {
    var frame = ScreenFrame()
    #expect(
      frame.update(["a", "", "c"], size) == "\u{1B}[2J\u{1B}[1;1Ha\u{1B}[K\u{1B}[3;1Hc\u{1B}[K")
    #expect(frame.update(["a", "b", "c"], size) == "\u{1B}[2;1Hb\u{1B}[K")
    #expect(frame.update(["a", "b", "c"], size) == "")
    #expect(frame.update(["a"], size) == "\u{1B}[2;1H\u{1B}[K\u{1B}[3;1H\u{1B}[K")
  }

  @Test func `after a resize all is drawn anew, and never more than there is room for`() {
    var frame = ScreenFrame()
    _ = frame.update(["a", "b", "c"], size)
    let smaller = TerminalSize(columns: 10, rows: 2)
    #expect(
      frame.update(["a", "b", "c"], smaller) == "\u{1B}[2J\u{1B}[1;1Ha\u{1B}[K\u{1B}[2;1Hb\u{1B}[K")
    #expect(frame.update(["a", "b", "c"], smaller) == "")
  }
}
