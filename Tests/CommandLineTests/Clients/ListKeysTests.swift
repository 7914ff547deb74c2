import Testing

@testable import metafleet

@Suite struct ListKeysTests {
  @Test func `keys that every list knows are taken here, and no others`() {
    var keys = ListKeys()
    #expect(keys.press(.interrupt) == .leave && keys.press(.character("q")) == .leave)
    #expect(keys.press(.down) == .done && keys.position.offset == 1)
    #expect(keys.press(.character("R")) == .other && keys.press(.escape) == .other)
  }

  @Test func `while somebody types letters are text, the list begins anew, and interrupting leaves`() {
    var keys = ListKeys()
    _ = keys.press(.down)
    #expect(keys.press(.character("/")) == .done)
    #expect(keys.press(.character("q")) == .done && keys.typed.text == "q" && keys.position.offset == 0)
    #expect(keys.press(.interrupt) == .leave)
    #expect(keys.press(.enter) == .done && keys.press(.character("Q")) == .leave)
    keys.forgetText()
    #expect(keys.typed.text.isEmpty)
  }
}
