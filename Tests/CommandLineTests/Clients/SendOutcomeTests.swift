import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct SendOutcomeTests {
  private func reply(_ stage: String, code: String? = nil, gateway: String = "g1", id: String = "x")
    -> JSONObject
  {
    var reply: JSONObject = ["id": .string(id), "stage": .string(stage), "gw": .string(gateway)]
    reply["code"] = code.map { .string($0) }
    return reply
  }

  private func take(_ reply: JSONObject, _ isOurs: Bool, by outcome: inout SendOutcome) {
    let taken = outcome.received(ReplyDocument(json: reply))
    #expect(taken == isOurs)
  }

  @Test(
    arguments: [
      ("done", nil, 0), ("failed", "invalid", 1), ("failed", "unreachable", 1), ("failed", "busy", 75),
      ("failed", "denied", 77), ("unknown", nil, 3), ("failed", nil, 1),
    ] as [(String, String?, Int32)])
  func `final replies have an exit status`(_ stage: String, _ code: String?, _ status: Int32) {
    var outcome = SendOutcome(id: "x")
    take(reply("accepted"), true, by: &outcome)
    #expect(outcome.status == nil)
    take(reply(stage, code: code), true, by: &outcome)
    #expect(outcome.status?.rawValue == status)
  }

  @Test(arguments: ["accepted", "queued", "sent", "progress", "something-new"])
  func `stages on the way are not the end`(_ stage: String) {
    var outcome = SendOutcome(id: "x")
    take(reply(stage), true, by: &outcome)
    #expect(outcome.status == nil)
    outcome.expired()
    #expect(outcome.status == .tryLater)
  }

  @Test func `replies to others are not ours`() {
    var outcome = SendOutcome(id: "x")
    take(reply("done", id: "y"), false, by: &outcome)
    #expect(outcome.status == nil)
  }

  @Test func `a group is over when every gateway with members has answered`() {
    var outcome = SendOutcome(id: "x", gateways: ["g1", "g2"])
    take(reply("done", gateway: "g1"), true, by: &outcome)
    #expect(outcome.status == nil)
    take(reply("failed", code: "unreachable", gateway: "g2"), true, by: &outcome)
    #expect(outcome.status == .no)
  }

  @Test func `the answer that came first stands`() {
    var outcome = SendOutcome(id: "x")
    _ = outcome.received(ReplyDocument(json: reply("done")))
    outcome.expired()
    #expect(outcome.status == .ok)
  }
}
