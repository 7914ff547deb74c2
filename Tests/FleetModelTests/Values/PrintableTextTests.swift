import Testing

@testable import FleetModel

@Suite struct PrintableTextTests {
  @Test(arguments: [
    ("Pump", true), ("日本", true), (" x ", true), ("", false), (" \t", false), ("\u{200B}\u{FEFF}", false),
    ("\u{202E}", false), ("\u{1B}", false), ("\u{301}", false), ("\u{3164}", false), ("\u{A0}", false),
  ])
  func `F212 a name shows something, or is none`(_ name: String, _ isVisible: Bool) {
    #expect(PrintableText.isVisible(name) == isVisible)
  }
}
