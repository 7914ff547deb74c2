import FleetModel
import Testing

@testable import metafleet

@Suite struct ConfigurationKeyTests {
  private struct Target: Sendable {
    var number = 5
    var name: String?
    var inner = Inner()

    struct Inner: Sendable { var flag = false }
  }

  private let keys: [ConfigurationKey<Target>] =
    [
      ConfigurationKey("number", .integer(0...9), \.number, .live, "A number.", isRequired: true),
      ConfigurationKey("name", .name, \.name, .restart, "A name.", sample: "x", whenMissing: "nobody"),
      .section("inner", \.inner, [ConfigurationKey("flag", .boolean, \.flag, .live, "A flag.")], "More."),
      .checked("seen", .boolean, "Read elsewhere.", sample: "true", whenMissing: "no"),
    ] + [ConfigurationKey<Unread>.later("soon", .boolean, "Later.", standard: "false")].within(Target.self)

  private func read(_ text: String) throws -> (Target, [ConfigurationProblem]) {
    var target = Target()
    var reading = Reading(files: FileReferences(directory: "/", credentials: nil) { _ in .missing })
    keys.read(try #require(try YAMLDocument.read(text)), "t", into: &target, &reading)
    return (target, reading.problems)
  }

  @Test func `values arrive at their targets`() throws {
    let (target, problems) = try read("{ number: 7, name: x, inner: { flag: true }, seen: true }")
    #expect(problems == [])
    #expect(target.number == 7)
    #expect(target.name == "x")
    #expect(target.inner.flag)
  }

  @Test(
    arguments: [
      ("{ name: x }", "t needs the key number"),
      ("{ number: 1, nmae: x }", "t has no key \"nmae\"; did you mean name?"),
      ("{ number: 1, inner: { flog: true } }", "t.inner has no key \"flog\"; did you mean flag?"),
      ("{ number: 1, zzzzzz: 1 }", "t has no key \"zzzzzz\"; it takes number, name, inner, seen, soon"),
      ("{ number: 1, seen: 3 }", "t.seen must be true or false, not \"3\""),
    ])
  func `what is missing, unknown or wrong is told`(_ text: String, _ expected: String) throws {
    let (_, problems) = try read(text)
    #expect(problems.map(\.text) == [expected])
    #expect(problems.hasErrors)
  }

  @Test func `a wrong value leaves the default`() throws {
    #expect(try read("{ number: x }").0.number == 5)
  }

  @Test func `what comes later is checked and warned of`() throws {
    let (_, problems) = try read("{ number: 1, soon: true }")
    #expect(problems.map(\.text) == ["t.soon is not in effect in this version"])
    #expect(problems.map(\.severity) == [.warning])
    #expect(try read("{ number: 1, soon: 3 }").1.hasErrors)
  }

  @Test func `descriptions carry default, reload class and whether it is in effect`() {
    let described = keys.map { $0.describe(Target()) }
    #expect(described.map(\.standard) == [nil, nil, nil, nil, "false"])
    #expect(described.map(\.reload) == [.live, .restart, nil, .live, nil])
    #expect(described.map(\.isInEffect) == [true, true, true, true, false])
    #expect(described.map(\.isRequired) == [true, false, false, false, false])
  }
}
