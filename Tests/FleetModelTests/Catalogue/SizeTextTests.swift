import Testing

@testable import FleetModel

@Suite struct SizeTextTests {
  @Test(
    arguments: [
      ("200MB", 200_000_000), ("1KiB", 1024), ("0.5kB", 500), ("7B", 7), ("1TB", 1_000_000_000_000),
      ("2TiB", 2 << 40),
      ("1mb", nil), ("1 MB", nil), ("MB", nil), ("-1MB", nil), ("99999999999TB", nil), ("1K", nil),
    ] as [(String, Int64?)])
  func `sizes`(_ text: String, _ expected: Int64?) {
    #expect(SizeText.parse(text) == expected)
    if let expected { #expect(SizeText.parse(SizeText.format(expected)) == expected) }
  }

  @Test(
    arguments: [
      ("5", 5), ("-0.5", -0.5), ("+1", 1), (".5", nil), ("1e3", nil), ("0x1", nil), ("", nil), ("1.2.3", nil),
    ] as [(String, Double?)])
  func `numbers are digits and a point`(_ text: String, _ expected: Double?) {
    #expect(DecimalText.number(text) == expected)
  }
}
