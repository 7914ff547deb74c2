import FleetModel
import Testing

/// MQTT contract 3.5.
@Suite struct LogVerbsTests {
  private func interpret(_ verb: String, _ arguments: JSONObject) throws -> LogCommand {
    let definition = try #require(VerbCatalogue.find(verb, for: .board))
    guard case .board(.link(.log(let command))) = try definition.interpret(arguments) else {
      throw CommandFailure(.internal, "no log command")
    }
    return command
  }

  @Test func `start takes streams with their configurations`() throws {
    let command = try interpret(
      "log-start",
      [
        "streams": ["acceleration": ["rate_hz": 90, "nearest": true], "temperature-die": [:]],
        "circular": true,
      ])
    guard case .start(let requests, let isCircular, let adjusted) = command else {
      Issue.record("\(command)")
      return
    }
    #expect(requests.map(\.name) == ["acceleration", "temperature-die"])
    #expect(requests[0].configuration["rate_hz"] == 100 && requests[0].configuration["record"] == nil)
    #expect(requests[1].configuration["every"] == "60s")
    #expect(isCircular == true && adjusted == ["acceleration.rate_hz"])
  }

  @Test func `what is left out stays as it is`() throws {
    #expect(try interpret("log-stop", [:]) == .stop(nil))
    #expect(try interpret("log-stop", ["slots": [3, 4]]) == .removeLoggers([3, 4]))
    #expect(try interpret("log-stop", ["streams": ["acceleration"]]) == .stop(["acceleration"]))
    #expect(try interpret("log-download", [:]) == .download(resume: nil, clear: nil))
    #expect(
      try interpret("log-download", ["clear": true, "resume": false]) == .download(resume: false, clear: true)
    )
    #expect(try interpret("log-status", [:]) == .status)
    #expect(try interpret("log-clear", ["confirm": "e5a1c2d3f4b6", "discard": 812]) == .clear(discard: 812))
  }

  @Test(
    arguments: [
      ("log-start", [:]), ("log-start", ["streams": [:]]), ("log-start", ["streams": ["nothing!": [:]]]),
      ("log-start", ["streams": ["acceleration": ["rate_hz": 90]]]),
      ("log-start", ["streams": ["acceleration": ["record": true]]]),
      ("log-start", ["streams": ["acceleration": 100]]), ("log-stop", ["streams": ["No"]]),
      ("log-stop", ["slots": [32]]), ("log-stop", ["slots": [1], "streams": ["acceleration"]]),
      ("log-clear", ["discard": 1]), ("log-download", ["clear": 1]), ("log-status", ["x": 1]),
    ] as [(String, JSONObject)])
  func `what is wrong is refused`(verb: String, arguments: JSONObject) {
    #expect(throws: CommandFailure.self) { try interpret(verb, arguments) }
  }

  @Test func `streams of no board are refused`() throws {
    let intent = Intent.link(.log(try interpret("log-start", ["streams": ["calm": [:]]])))
    #expect(throws: CommandFailure.self) { try intent.checkStream(among: []) }
    try intent.checkStream(among: ["calm"])
  }
}
