import FleetModel
import Testing

@testable import metafleet

@Suite struct ValueFormTests {
  private func read<Value: Sendable>(
    _ text: String, as form: ValueForm<Value>
  ) throws -> (value: Value?, problems: [String]) {
    var reading = Reading(files: FileReferences(directory: "/", credentials: nil) { _ in .missing })
    let value = form.read(try #require(try YAMLDocument.read(text)), "k", &reading)
    return (value, reading.problems.map(\.text))
  }

  @Test func `a scalar says what it must be`() throws {
    #expect(try read("5", as: .integer(1...9)).value == 5)
    #expect(
      try read("50", as: .integer(1...9)).problems == ["k must be a whole number from 1 to 9, not \"50\""])
    #expect(
      try read("[5]", as: .integer(1...9)).problems == ["k must be a whole number from 1 to 9, not a list"])
  }

  @Test func `a list reads each element, and is bounded`() throws {
    let form = ValueForm<[Int]>.list(of: .integer(1...9), atMost: 2)
    #expect(try read("[1, 2]", as: form).value == [1, 2])
    #expect(try read("~", as: form).value == [])
    #expect(try read("[1, x]", as: form).problems == ["k[1] must be a whole number from 1 to 9, not \"x\""])
    #expect(try read("[1, 2, 3]", as: form).problems == ["k has 3 entries; at most 2 are allowed"])
    #expect(try read("1", as: form).problems == ["k must be a list, not \"1\"; write [a, b]"])
    #expect(form.write([1, 2]) == "[1, 2]")
  }

  @Test func `a map reads each value under a name that fits`() throws {
    let form = ValueForm<[String: Int]>.map(keys: .labelKey, pattern: "", to: .integer(1...9), atMost: 2)
    #expect(try read("{ a: 1, b: 2 }", as: form).value == ["a": 1, "b": 2])
    #expect(try read("{ a: x }", as: form).problems == ["k.a must be a whole number from 1 to 9, not \"x\""])
    #expect(try read("{ A: 1 }", as: form).value == [:])
    #expect(try read("{ a: 1, b: 2, c: 3 }", as: form).problems == ["k has 3 keys; at most 2 are allowed"])
  }

  @Test func `auto means nothing in particular`() throws {
    let form = ValueForm<Int?>.automatic(or: .integer(1...9))
    #expect(try read("auto", as: form).value == .some(nil))
    #expect(try read("7", as: form).value == 7)
    #expect(try read("x", as: form).value == nil)
    #expect(form.write(nil) == "auto")
    #expect(form.write(7) == "7")
  }
}
