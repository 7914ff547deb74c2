import FleetModel
import Testing

@testable import metafleet

@Suite struct ConfigurationScalarsTests {
  @Test(arguments: ["no", "12:34", "1.10", "0x10", "null", "true", "~x", "2025-01-01"])
  func `a scalar is text where text is wanted`(_ text: String) {
    let result = read("gateway: { site: \(text) }")
    #expect(result.problems.isEmpty)
    #expect(result.configuration.gateway.site == text)
  }

  @Test(arguments: [
    "''", "' a'", "'a '", "\"a\\u202Eb\"", "\"a\\u0007\"", "\"e\\u0301\"",
    "\(String(repeating: "x", count: 65))",
  ])
  func `names that a display could stumble over are refused`(_ text: String) {
    #expect(read("gateway: { site: \(text) }").problems.hasErrors)
  }

  @Test(arguments: [
    ("1", true), ("0", false), ("01", true), ("1.0", false), ("1e3", false), ("+5", true), ("0x10", false),
    ("", false),
  ])
  func `whole numbers are digits`(_ text: String, _ isRight: Bool) {
    #expect(read("mqtt: { port: \(text) }").problems.isEmpty == isRight)
  }

  @Test(arguments: [
    ("true", true), ("false", true), ("yes", false), ("off", false), ("1", false), ("True", false),
  ])
  func `Booleans are true and false`(_ text: String, _ isRight: Bool) {
    #expect(read("profiles: { p: { button: \(text) } }").problems.isEmpty == isRight)
  }

  @Test(arguments: [
    ("10%", true), ("0%", true), ("99.5%", true), ("10", false), ("101%", false), ("-1%", false),
  ])
  func `percentages`(_ text: String, _ isRight: Bool) {
    let errors = read("profiles: { p: { visit: { jitter: \(text) } } }").problems.hasErrors
    #expect(errors == !isRight)
  }

  @Test(arguments: [
    ("a", true), ("a/b/c/d", true), ("a/b/c/d/e", false), ("a//b", false), ("a/", false), ("a+", false),
    ("ä", false),
  ])
  func `topic levels`(_ text: String, _ isRight: Bool) {
    #expect(read("mqtt: { base: \(text) }").problems.isEmpty == isRight)
  }
}
