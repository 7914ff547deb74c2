import Testing

@testable import FleetModel

@Suite struct SuggestionTests {
  @Test(
    arguments: [
      ("prot", "port"), ("hots", "host"), ("keepalives", "keepalive"), ("Host", "host"), ("xyz", nil),
      ("", nil),
      ("passwordfile", "password_file"), ("pass", "password_file"), ("hostname", "host"),
    ] as [(String, String?)])
  func `the nearest word is found, and a far one is not offered`(_ word: String, _ expected: String?) {
    #expect(Suggestion.nearest(to: word, in: ["port", "host", "keepalive", "password_file"]) == expected)
  }

  @Test(
    arguments: [
      ("prot", ["port", "host"], "did you mean port?"), ("xyz", ["port", "host"], "there are port, host"),
      ("xyz", [], "there are none"),
    ])
  func `advice is the nearest name, else all`(_ word: String, _ names: [String], _ advice: String) {
    #expect(Suggestion.advice(for: word, among: names) == advice)
    #expect(Suggestion.missing("key", word, among: names) == "there is no key \"\(word)\"; \(advice)")
  }

  @Test func `F85 what is missing is shown short and printable`() {
    let text = Suggestion.missing("key", String(repeating: "\u{1B}", count: 5_000), among: [])
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F } && text.utf8.count < 500)
  }

  @Test func `hostile lengths cost little`() {
    let long = String(repeating: "a", count: 100_000)
    #expect(Suggestion.nearest(to: long, in: [String(repeating: "b", count: 100_000)]) == nil)
  }
}
