import FleetModel
import Testing

@testable import metafleet

@Suite struct CommandCheckTests {
  private static let board: CommandTarget = BoardID("e5a1c2d3f4b6").map { .board($0) } ?? .group("all")

  private func problem(
    _ verb: String, _ arguments: JSONObject = [:], _ target: CommandTarget = board
  ) -> CommandLineFailure? {
    do throws(CommandLineFailure) {
      try CommandCheck.judge(verb: verb, arguments: arguments, for: target)
      return nil
    } catch { return error }
  }

  @Test func `F246 what the catalogue knows may be sent`() {
    #expect(problem("led", ["color": "green", "repeat": 5]) == nil)
    #expect(problem("read", ["what": "battery"], .group("east")) == nil)
    #expect(problem("scan", ["for_s": 5], .gateway("g1")) == nil)
    #expect(problem("batch", ["commands": [["verb": "led", "args": ["color": "red"]]]]) == nil)
  }

  @Test(
    arguments: [
      ("leed", [:], "did you mean led?"), ("led", ["colour": "green"], "did you mean color?"),
      ("led", ["color": "beige"], "color"), ("scan", [:], "send it to gateway:<id>"),
      ("batch", ["commands": [["verb": "led", "args": ["colour": "red"]]]], "colour"),
      ("factory-reset", [:], "confirm"),
    ] as [(String, JSONObject, String)])
  func `F246 what is misspelt is said before anything is sent`(
    _ verb: String, _ arguments: JSONObject, _ words: String
  ) {
    let failure = problem(verb, arguments)
    #expect(failure?.status == .usage)
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("Nothing was sent") == true)
  }

  @Test func `F246 a verb of groups is none of boards`() {
    let arguments: JSONObject = ["confirm": "pumps", "version": "1.7.3"]
    #expect(problem("firmware-rollout", arguments, .group("pumps")) == nil)
    #expect(problem("firmware-rollout", arguments)?.message.contains("send it to group:<name>") == true)
  }

  @Test func `F246 a verb of boards is none of gateways`() {
    #expect(problem("led", ["color": "red"], .gateway("g1"))?.message.contains("a verb of boards") == true)
  }
}
