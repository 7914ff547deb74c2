import FleetModel
import Testing

@testable import metafleet

@Suite struct ArgumentFileTests {
  private static let batches: [String] = [
    "- log-status\n- led: { color: red, repeat: 5 }\n- read: { what: battery }\n",
    "commands:\n  - verb: log-status\n  - verb: led\n    args:\n      color: red\n      repeat: 5\n  - read: { what: battery }",
    #"["log-status",{"led":{"color":"red","repeat":5}},{"verb":"read","args":{"what":"battery"}}]"#,
    "- log-status:\n- led: { \"color\": \"red\", repeat: 5 }\n- verb: read\n  args: { what: battery }",
  ]

  @Test(arguments: batches)
  func `a list of verbs is a batch, in JSON and in YAML`(text: String) throws {
    let arguments = try ArgumentFile.arguments(text, verb: "batch", from: "f")
    #expect(
      arguments == [
        "commands": [
          ["verb": "log-status"], ["verb": "led", "args": ["color": "red", "repeat": 5]],
          ["verb": "read", "args": ["what": "battery"]],
        ]
      ])
    let verb = try #require(VerbCatalogue.find("batch", for: .board))
    #expect(throws: Never.self) { try verb.interpret(arguments) }
  }

  @Test func `of other verbs a file holds the arguments; what stands in quotes is text`() throws {
    let arguments = try ArgumentFile.arguments(
      "stream: acceleration\nrate_hz: 100\nx: \"5\"\non: true\nno:\n", verb: "stream-start", from: "f")
    #expect(arguments == ["stream": "acceleration", "rate_hz": 100, "x": "5", "on": true, "no": .null])
  }

  @Test(
    arguments: [
      ("- a\n", "led", "only batch takes one"), ("", "batch", "f:1:1: nothing is written here"),
      ("hello", "batch", "write a list of commands"), ("a: 1\na: 2\n", "led", "f:2:1: \"a\" is there twice"),
      ("a: [1", "led", "this is not valid YAML"), ("a: !x 1", "led", "leave the tag out"),
    ])
  func `what cannot be read is one sentence with its place`(text: String, verb: String, words: String) throws
  {
    let failure = try #require(throws: CommandLineFailure.self) {
      try ArgumentFile.arguments(text, verb: verb, from: "f")
    }
    #expect(failure.status == .usage && failure.message.contains(words), "\(failure.message)")
  }

  @Test func `a file that is not there is named`() throws {
    let failure = try #require(throws: CommandLineFailure.self) {
      try ArgumentFile.read("/nowhere/round.yaml", verb: "batch")
    }
    #expect(failure.status == .usage && failure.message.contains("/nowhere/round.yaml"))
  }
}
