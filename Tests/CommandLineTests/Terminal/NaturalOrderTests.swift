import Testing

@testable import metafleet

@Suite struct NaturalOrderTests {
  @Test(arguments: [
    ("Demo 2", "Demo 10", true), ("Demo 10", "Demo 2", false), ("a", "B", true), ("a", "a", false),
    ("a1", "a01b", true), ("9", "10", true), ("10", "9", false), ("", "a", true), ("1a", "1", false),
    ("99999999999999999999999", "100000000000000000000000", true),
  ])
  func `names are in the order in which people look for them`(
    _ left: String, _ right: String, _ isBefore: Bool
  ) {
    #expect(NaturalOrder.isBefore(left, right) == isBefore)
  }
}
