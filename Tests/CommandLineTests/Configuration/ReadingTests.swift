import FleetModel
import Testing

@testable import metafleet

@Suite struct ReadingTests {
  private let files = FileReferences(directory: "/", credentials: nil) { _ in .missing }

  @Test func `the first problem at a place counts`() {
    var reading = Reading(files: files)
    reading.error("a", .start, "one")
    reading.error("b", .start, "two")
    reading.report(.warning, "c", .init(line: 2, column: 1), "three")
    #expect(reading.problems.map(\.text) == ["one", "three"])
    #expect(reading.problems.map(\.severity) == [.error, .warning])
  }

  @Test func `of a repeated key the first counts, and each repetition is told`() throws {
    var reading = Reading(files: files)
    let node = try #require(try YAMLDocument.read("a: 1\nb: 2\na: 3\na: 4"))
    #expect(reading.members(of: node, "")?.map(\.value.text) == ["1", "2"])
    #expect(reading.problems.map(\.line) == [3, 4])
  }

  @Test func `what is no mapping has no members`() throws {
    var reading = Reading(files: files)
    let node = try #require(try YAMLDocument.read("[a]"))
    #expect(reading.members(of: node, "x") == nil)
    #expect(reading.problems.first?.text == "x must be a mapping of keys to values, not a list")
  }
}
