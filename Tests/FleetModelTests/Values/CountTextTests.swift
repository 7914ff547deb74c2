import FleetModel
import Testing

@Suite struct CountTextTests {
  @Test(arguments: [(0, "no errors"), (1, "1 error"), (2, "2 errors"), (-1, "-1 errors")])
  func `a noun with an s`(count: Int, text: String) { #expect(CountText.of(count, "error") == text) }

  @Test(arguments: [(0, "no entries"), (1, "1 entry"), (812, "812 entries")])
  func `a plural of its own`(count: Int, text: String) { #expect(CountText.entries(count) == text) }
}
