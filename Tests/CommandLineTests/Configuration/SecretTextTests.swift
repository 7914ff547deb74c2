import Testing

@testable import metafleet

@Suite struct SecretTextTests {
  private static func line(_ text: String) throws -> String {
    String(decoding: try SecretText.firstLine(of: Array(text.utf8), in: "/p"), as: UTF8.self)
  }

  private static let written = [
    "geheim", "geheim\n", "geheim\r\n", "geheim\r", "geheim\nmore\n", "\u{FEFF}geheim\r\n",
  ]

  @Test(arguments: written)
  func `F253 a secret is what the first line says, as editors and shells write it`(text: String) throws {
    #expect(try Self.line(text) == "geheim")
  }

  @Test(arguments: ["010", "12:34:56", "no", "null", "~", "#x", "\"x\"", " x ", "a: b", "é", "1e3"])
  func `F253 a secret is taken as it stands there, whatever it looks like`(text: String) throws {
    #expect(try Self.line(text + "\n") == text)
  }

  private static let refused = [
    ("", "is empty"), ("\n", "is empty"), (" \t\r\n\n", "is empty"), ("\u{FEFF}", "is empty"),
    ("\ngeheim\n", "the first line of /p is blank"), ("ge\0heim", "binary data"),
    ("-----BEGIN CERTIFICATE-----\nMIIB\n", "a certificate or a key"),
  ]

  @Test(arguments: refused)
  func `F253 what cannot be meant as a secret is refused, with the place and never with what is there`(
    text: String, words: String
  ) {
    let refusal = #expect(throws: Refusal.self) { try Self.line(text) }
    #expect(refusal?.hint?.contains(words) == true && refusal?.hint?.contains("/p") == true)
    #expect(refusal?.hint?.contains("heim") == false)
  }

  @Test(arguments: [[0xFF, 0xFE, 0x67, 0x00], [0xFE, 0xFF, 0x00, 0x67]] as [[UInt8]])
  func `F253 text of 16 bits is refused`(bytes: [UInt8]) {
    let refusal = #expect(throws: Refusal.self) { try SecretText.firstLine(of: bytes, in: "/p") }
    #expect(refusal?.hint == "/p is UTF-16 text; save it as UTF-8")
  }

  @Test(arguments: [(" x", true), ("x\t", true), ("x", false), ("x y", false), ("", false)])
  func `F253 blanks at an end count, and are warned of`(secret: String, isWarned: Bool) {
    #expect((SecretText.warning(of: Array(secret.utf8), in: "/p") != nil) == isWarned)
  }
}
