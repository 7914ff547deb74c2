import FleetModel
import Testing

@Suite struct ParameterTests {
  @Test(
    arguments: ["east", "e", "3f", "a_b-c", "0", String(repeating: "a", count: 32)])
  func `groups, profiles and gateways`(text: String) {
    #expect(ParameterType.isName(text, digitsFirst: true, further: "_-"))
  }

  @Test(
    arguments: [
      "", "-a", "_a", "East", "a b", "a/b", "a+", "#", "..", "ä", "a\u{0}", "a\u{202E}b", "a\n",
      String(repeating: "a", count: 33),
    ])
  func `F85 no name leaves its topic level`(text: String) {
    #expect(!ParameterType.isName(text, digitsFirst: true, further: "_-"))
  }

  @Test func `labels begin with a letter and have no dash`() {
    #expect(ParameterType.isName("room_3", digitsFirst: false, further: "_"))
    #expect(!ParameterType.isName("3room", digitsFirst: false, further: "_"))
    #expect(!ParameterType.isName("room-3", digitsFirst: false, further: "_"))
  }

  @Test func `numbers read plainly`() {
    #expect(ParameterType.plain(50) == "50")
    #expect(ParameterType.plain(0.78125) == "0.78125")
    #expect(ParameterType.plain(1e300) == "1e+300")
  }

  private static let wordsCases: [(ParameterType, String)] = [
    (ParameterType.integer(0...31), "a whole number from 0 to 31"),
    (.number(0.5...50), "a number from 0.5 to 50"), (.boolean, "true or false"),
    (.offered([12.5, 25]), "12.5, 25"), (.choice(["solid", "blink"]), "solid, blink"),
    (.text(1...64), "text of 1 to 64 characters"), (.duration(atLeast: .milliseconds(100)), "at least 100ms"),
    (.list(of: .boolean, 0...3), "a list of at most 3"), (.map(of: .boolean, 0...3), "at most 3 keys"),
    (.either([.boolean, .choice(["a"])]), "true or false; or a"),
    (.object([Parameter("r", .boolean, "")]), "with r"), (.name, "lower-case letters"),
  ]

  @Test(
    arguments: wordsCases)
  func `every type can be told in words`(type: ParameterType, words: String) {
    #expect(type.words.contains(words))
  }
}
