import Dialects
import FleetModel
import Testing
import Web

@testable import metafleet

@Suite struct WebCommandTests {
  private static let peer = Peer.address("192.0.2.7", isLoopback: false)

  private static func message(_ body: String) throws(CommandFailure) -> MQTTMessage {
    try WebCommand(Array(body.utf8), below: "m", from: peer).message
  }

  private static func incoming(_ body: String) throws -> IncomingCommand {
    let dialect = PlainDialect(topics: TopicTree(base: "m", gateway: "gw"))
    let meaning = dialect.read(try message(body), arrived: LogExample.start) { "fresh" }
    guard case .command(_, _, let command) = meaning else { throw CommandFailure.invalid("no command") }
    return command
  }

  private static func judgement(_ body: String, _ verbs: [String]? = nil) throws -> String {
    let judged = WebCommand.judge(try incoming(body), by: HTTPCommandRule(verbs: verbs))
    switch judged?.judgement {
    case nil: return "nothing"
    case .pass(let id): return "pass \(id)"
    case .refuse(let status, let id, _): return "\(status) \(id)"
    }
  }

  @Test func `F242 a command is the message that would have come from the broker, with who sent it`() throws {
    let message = try Self.message(
      #"{"topic":"board/e5a1c2d3f4b6/cmd/led","payload":{"id":"a","args":{"color":"red"}}}"#)
    #expect(message.topic == "m/board/e5a1c2d3f4b6/cmd/led" && !message.isRetained)
    #expect(String(decoding: message.payload, as: UTF8.self) == #"{"id":"a","args":{"color":"red"}}"#)
    #expect(message.properties.user.claimedSender == "origin=http peer=192.0.2.7")
    #expect(message.properties.responseTopic == nil)
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"topic":"a"}"#, #"{"topic":"a","payload":null}"#, #"{"topic":1,"payload":{}}"#,
    #"{"topic":"a","payload":{},"retain":true}"#, #"{"topic":"a","payload":{}} x"#,
  ])
  func `nothing else is a command`(body: String) {
    #expect(throws: CommandFailure.self) { try Self.message(body) }
  }

  @Test func `F242 verbs that may not be sent are refused wherever they stand`() throws {
    func body(_ verb: String, _ arguments: String = "{}") -> String {
      #"{"topic":"board/e5a1c2d3f4b6/cmd/\#(verb)","payload":{"id":"a","args":\#(arguments)}}"#
    }
    #expect(try Self.judgement(body("led")) == "pass a")
    #expect(try Self.judgement(body("raw")) == "403 a")
    #expect(try Self.judgement(body("factory-reset"), ["*"]) == "403 a")
    #expect(try Self.judgement(body("raw"), ["*", "raw"]) == "pass a")
    #expect(try Self.judgement(body("led"), ["identify"]) == "403 a")
    let batch = #"{"commands":[{"verb":"led","args":{}},{"verb":"raw","args":{}}]}"#
    #expect(try Self.judgement(body("batch", batch)) == "403 a")
  }

  @Test func `F242 what may not be sent reaches the audit trail with its sender`() throws {
    let command = try Self.incoming(#"{"topic":"board/e5a1c2d3f4b6/cmd/raw","payload":{"id":"a"}}"#)
    guard case .refused(let refused) = WebCommand.judge(command, by: HTTPCommandRule())?.command else {
      Issue.record("it was not refused")
      return
    }
    #expect(refused.failure.code == .denied && refused.sender.claimedSender == "origin=http peer=192.0.2.7")
  }

  @Test func `what cannot be read is refused under an id`() throws {
    #expect(
      try Self.judgement(#"{"topic":"board/e5a1c2d3f4b6/cmd/led","payload":{"id":"a","x":1}}"#) == "400 a")
    #expect(try Self.judgement(#"{"topic":"board/e5a1c2d3f4b6/cmd/led","payload":{}}"#) == "pass fresh")
  }
}
