import FleetModel
import Testing

@testable import Fleet

@Suite struct GroupRulesTests {
  private static func request(_ verb: String, _ arguments: JSONObject = [:], group: String = "east")
    -> CommandRequest
  {
    CommandRequest(
      id: "nightly-7", hasSenderID: true, target: .group(group), verb: verb, arguments: arguments,
      mode: .queue,
      expires: .at(1), issued: nil, arrived: .at(0), payloadHash: 7,
      replyTo: ReplyAddress(responseTopic: "me", correlationData: [1])
    )
  }

  private static func refusal(_ request: CommandRequest, of group: String, verbs: [String] = ["*", "raw"])
    -> CommandFailure.Code?
  {
    do throws(CommandFailure) {
      try GroupRules.check(
        request, of: group, [.number(1): ["east"]], CommandPermissions([.init(verbs: verbs)]))
      return nil
    } catch { return error.code }
  }

  @Test func `raw and factory-reset are denied for all, and taken for groups that are named`() {
    for verb in ["raw", "factory-reset"] {
      #expect(Self.refusal(Self.request(verb), of: "all") == .denied)
      #expect(Self.refusal(Self.request(verb), of: "east") == nil)
    }
    #expect(Self.refusal(Self.request("reset"), of: "all") == nil)
    let nested = Self.request("event-bind", ["action": ["verb": "raw", "args": ["hex": "0101"]]])
    #expect(Self.refusal(nested, of: "all") == .denied, "an action counts as its verb")
  }

  @Test func `F183 what a batch holds is judged as if it came alone`() {
    let raw: JSONValue = ["verb": "raw", "args": ["confirm": "all", "hex": "0101"]]
    #expect(
      Self.refusal(Self.request("batch", ["commands": [["verb": "reset"], raw]]), of: "all") == .denied)
    let batch = Self.request(
      "batch", ["commands": [["verb": "reset"], ["verb": "sleep", "args": ["confirm": "east"]]]])
    let member = GroupRules.request(for: .number(1), of: batch)
    let confirmed = JSONValue.string(BoardID.number(1).description)
    #expect(
      member.arguments == [
        "commands": [["verb": "reset"], ["verb": "sleep", "args": ["confirm": confirmed]]]
      ])
  }

  @Test func `discard fits no group`() {
    #expect(throws: CommandFailure.self) { try GroupRules.check(arguments: ["discard": 3]) }
    #expect(throws: Never.self) { try GroupRules.check(arguments: ["confirm": "east"]) }
  }

  @Test func `a member's command has an id of its own and confirms the board`() {
    var job = Self.request("sleep", ["confirm": "east"])
    job.job = ["parallel": 1]
    job.sender = [UserProperty("user", "ada")]
    let member = GroupRules.request(for: .number(1), of: job)
    #expect(member.id == "nightly-7.\(BoardID.number(1))" && member.target == .board(.number(1)))
    #expect(member.arguments == ["confirm": .string(BoardID.number(1).description)])
    #expect(member.job == nil && member.replyTo == ReplyAddress())
    #expect(member.mode == .queue && member.expires == job.expires && member.sender == job.sender)
    let harmless = GroupRules.request(for: .number(1), of: Self.request("reset"))
    #expect(harmless.arguments == [:], "no confirm is invented")
  }
}
