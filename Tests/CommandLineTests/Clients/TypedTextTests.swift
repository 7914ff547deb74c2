import Testing

@testable import metafleet

@Suite struct TypedTextTests {
  @Test func `letters are taken only while somebody types; Enter keeps the text, Escape empties it`() {
    var typed = TypedText()
    var isTaken = typed.press(.character("a"))
    #expect(!isTaken)
    typed.begin()
    for key in [.character("a"), .character("q"), .character("ü"), .backspace] as [TerminalKey] {
      isTaken = typed.press(key)
      #expect(isTaken)
    }
    isTaken = typed.press(.up)
    #expect(!isTaken && typed.text == "aq" && typed.isTyping)
    isTaken = typed.press(.enter)
    #expect(isTaken && typed.text == "aq" && !typed.isTyping)
    typed.begin()
    isTaken = typed.press(.escape)
    #expect(isTaken && typed == TypedText())
    typed.begin()
    isTaken = typed.press(.backspace)
    #expect(isTaken && typed.text.isEmpty)
  }
}
