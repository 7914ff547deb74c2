import FleetModel
import Testing

@testable import metafleet

@Suite struct YAMLNodeTests {
  private func node(_ text: String) throws -> YAMLNode { try #require(try YAMLDocument.read(text)) }

  @Test(arguments: [
    ("a:", true), ("a: ~", true), ("a: null", true), ("a: ''", false), ("a: 'null'", false), ("a: {}", false),
  ])
  func `nothing is written, or something`(_ text: String, _ isEmpty: Bool) throws {
    #expect(try node(text)["a"]?.isEmpty == isEmpty)
  }

  @Test func `mappings merge by key, lists and scalars are replaced`() throws {
    let whole = try node("a: { x: 1, y: [1] }\nb: 5").laid(over: node("a: { y: [2, 3], z: 3 }\nc: 6"))
    #expect(whole.members?.map(\.key).sorted() == ["a", "b", "c"])
    #expect(whole["a"]?.members?.map(\.key).sorted() == ["x", "y", "z"])
    #expect(whole["a"]?["y"]?.elements?.map(\.text) == ["1"])
    #expect(try node("a").laid(over: node("b")).text == "a")
  }

  @Test func `an empty mapping inherits everything`() throws {
    #expect(try node("a:").laid(over: node("a: { x: 1 }"))["a"]?["x"]?.text == "1")
  }

  @Test(arguments: [
    ("'x'", "\"x\""), ("{}", "a mapping"), ("[]", "a list"), ("!t x", "a value with the tag \"!t\""),
    ("~", "\"~\""),
  ])
  func `nodes are described for people`(_ text: String, _ expected: String) throws {
    #expect(try node(text).described == expected)
  }

  @Test func `text from outside is bounded and harmless between quotation marks`() {
    #expect(quoted("a\u{1B}b") == "\"a\\u{1B}b\"")
    #expect(quoted(String(repeating: "x", count: 100)).count == 63)
  }
}
