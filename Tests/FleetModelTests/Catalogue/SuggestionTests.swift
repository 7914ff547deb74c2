import Testing

@testable import FleetModel

@Suite struct SuggestionTests {
  @Test(
    arguments: [
      ("prot", "port"), ("hots", "host"), ("keepalives", "keepalive"), ("Host", "host"), ("xyz", nil),
      ("", nil),
      ("passwordfile", "password_file"),
    ] as [(String, String?)])
  func `the nearest word is found, and a far one is not offered`(_ word: String, _ expected: String?) {
    #expect(Suggestion.nearest(to: word, in: ["port", "host", "keepalive", "password_file"]) == expected)
  }

  @Test func `hostile lengths cost little`() {
    let long = String(repeating: "a", count: 100_000)
    #expect(Suggestion.nearest(to: long, in: [String(repeating: "b", count: 100_000)]) == nil)
  }
}
