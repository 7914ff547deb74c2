import FleetModel
import Testing

@testable import Fleet

/// Which files are obeyed, and what is answered (MQTT contract 4.1).
@Suite struct ReloadRuleTests {
  private func rule(
    _ problems: [ConfigurationProblem] = [], endsMidLine: Bool = false, isConfirmed: Bool = false
  ) -> ReloadRule {
    ReloadRule(
      read: CheckedConfiguration(
        FleetConfiguration(), problems: problems, file: "/m.yaml", endsMidLine: endsMidLine),
      gateway: "floor-3", isConfirmed: isConfirmed)
  }

  private func change(_ edit: (inout FleetConfiguration) -> Void = { _ in }) -> ConfigurationChange {
    var new = FleetConfiguration()
    edit(&new)
    return ConfigurationChange(from: FleetConfiguration(), to: new)
  }

  private let nobody = FileRemoval(of: [], wanted: [], listsNone: true)
  private let everybody = FileRemoval(of: [.number(1), .number(2)], wanted: [], listsNone: true)

  @Test
  func `F190 a file that cannot be used is refused with the first error and its place, confirmed or not`()
    throws
  {
    let problems = [
      ConfigurationProblem(.warning, line: 1, column: 1, "no effect"),
      ConfigurationProblem(.error, path: "log", line: 2, column: 3, "no level"),
      ConfigurationProblem(.error, "the file ends too early"),
    ]
    let failure = try #require(rule(problems, isConfirmed: true).unreadable)
    #expect(
      failure.code == .invalid
        && failure.message
          == "the configuration file cannot be used: /m.yaml:2:3: error: no level (and 1 error more); nothing was applied"
    )
    #expect(failure.data["problems"]?.array?.map { $0.object?["severity"] } == ["error", "error", "warning"])
    #expect(failure.data["file"] == "/m.yaml")
    #expect(rule([problems[0]]).unreadable == nil)
  }

  @Test
  func `F188 a file that forgets its boards is refused with their names, and obeyed when it is confirmed`()
    throws
  {
    let failure = try #require(rule().doubt(everybody))
    #expect(
      failure.message.hasPrefix("the file no longer lists 2 of 2 boards: c0ffee000001, c0ffee000002; put"))
    #expect(failure.message.contains("metafleet send gateway:floor-3 reload confirm=floor-3"))
    #expect(failure.message.hasSuffix("nothing was applied"))
    #expect(failure.data["boards"] == ["c0ffee000001", "c0ffee000002"])
    #expect(rule(isConfirmed: true).doubt(everybody) == nil)
    #expect(rule().doubt(nobody) == nil)
  }

  @Test func `F190 a file that ends in the middle of a line is obeyed, with a warning`() {
    let answer = rule(endsMidLine: true).answer(change { $0.log.level = .debug })
    let problems = (answer["problems"]?.array ?? []).compactMap(\.object)
    #expect(problems.map { $0["severity"] } == ["warning"])
    #expect(problems.first?["text"]?.string?.contains("end it with a line break") == true)
    #expect(rule().answer(change())["problems"] == [])
  }

  @Test func `F202 what of an obeyed file cannot be had stands in the answer as a warning, before its own`() {
    let found = [ConfigurationProblem(.warning, line: 1, column: 1, "no effect")]
    let answer = rule(found).answer(
      change { $0.consumers.http.listen = nil }, troubles: ["nothing can be served at 1.2.3.4:5"])
    #expect(answer["changed"] == ["http"] && answer["needs_restart"] == [])
    let problems = (answer["problems"]?.array ?? []).compactMap(\.object)
    #expect(problems.map { $0["severity"] } == ["warning", "warning"])
    #expect(problems.map { $0["text"] } == ["nothing can be served at 1.2.3.4:5", "no effect"])
  }

  @Test func `the answer lists a hundred changes and problems, and counts the rest`() {
    let problems = (1...103).map { ConfigurationProblem(.warning, line: $0, "no effect") }
    let many = change {
      $0.boards = (1...102).map { number in BoardConfiguration(board: .number(number)) }
    }
    let answer = rule(problems).answer(many)
    #expect(answer["changed"] == ["boards"] && answer["needs_restart"] == [])
    #expect(answer["changes"]?.array?.count == 100 && answer["more_changes"] == 2)
    #expect(answer["problems"]?.array?.count == 100 && answer["more_problems"] == 3)
    let few = rule().answer(change { $0.mqtt.base = "plant" })
    #expect(few["changes"] == [["path": "mqtt.base", "change": "changed", "applied": false]])
    #expect(few["more_changes"] == nil && few["more_problems"] == nil && few["problems"] == [])
  }
}
