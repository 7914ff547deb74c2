import FleetModel
import Testing

/// MQTT contract 3.6, 3.10 and 7.3.
@Suite struct CommandPermissionsTests {
  private static let board = BoardID(BluetoothAddress(rawValue: 1))

  private func refusal(
    _ verb: String, _ arguments: JSONObject = [:], by permissions: CommandPermissions,
    in groups: [String] = []
  ) -> CommandFailure.Code? {
    let request = CommandRequest(
      id: "a", hasSenderID: true, target: .board(Self.board), verb: verb, arguments: arguments, mode: .now,
      expires: Timestamp(milliseconds: 1), issued: nil, arrived: Timestamp(milliseconds: 0), payloadHash: 0)
    do throws(CommandFailure) {
      try permissions.check(request, in: groups)
      return nil
    } catch { return error.code }
  }

  @Test func `all but raw is allowed at first`() {
    let permissions = CommandPermissions()
    for verb in VerbCatalogue.names(for: .board) {
      #expect(permissions.allows(verb, on: Self.board) == (verb != "raw"), "\(verb)")
    }
    #expect(!permissions.verbs(on: Self.board, in: []).contains("raw"))
  }

  @Test func `raw must be named; a star is not its name`() {
    #expect(refusal("raw", by: CommandPermissions([.init(verbs: ["*"])])) == .denied)
    #expect(refusal("raw", by: CommandPermissions([.init(verbs: ["raw"])])) == nil)
    #expect(refusal("led", by: CommandPermissions([.init(verbs: ["raw"])])) == .denied)
    #expect(refusal("led", by: CommandPermissions([])) == .denied)
  }

  @Test func `rules name boards and groups`() {
    let east = CommandPermissions([.init(verbs: ["*"], groups: ["east"])])
    #expect(refusal("led", by: east, in: ["pumps", "east"]) == nil)
    #expect(refusal("led", by: east, in: ["west"]) == .denied)
    #expect(refusal("led", by: CommandPermissions([.init(groups: ["*"])])) == nil)
    #expect(refusal("led", by: CommandPermissions([.init(boards: ["000000000001"])])) == nil)
    #expect(refusal("led", by: CommandPermissions([.init(boards: ["000000000002"])])) == .denied)
    #expect(!east.allows("scan"), "rules for boards say nothing of the gateway")
  }

  @Test func `an action needs the permission that its verb needs (3.6)`() {
    let raw: JSONValue = ["verb": "raw", "args": ["hex": "020101"]]
    let all = CommandPermissions()
    #expect(refusal("event-bind", ["action": raw], by: all) == .denied)
    #expect(refusal("timer-create", ["action": [["verb": "reset"], raw]], by: all) == .denied)
    #expect(
      refusal("macro-record", ["action": raw], by: CommandPermissions([.init(verbs: ["raw"])])) == .denied)
    #expect(
      refusal("macro-record", ["action": raw], by: CommandPermissions([.init(verbs: ["raw", "*"])])) == nil)
    let withoutReset = CommandPermissions([.init(verbs: ["event-bind", "led"])])
    #expect(refusal("event-bind", ["action": ["verb": "reset"]], by: withoutReset) == .denied)
    #expect(refusal("event-bind", ["action": ["verb": "led"]], by: withoutReset) == nil)
  }
}
