import Dialects
import FleetModel
import Testing

@testable import Fleet

/// MQTT API 4: what the broker keeps is compared with ours after a connect (fault F68).
@Suite struct RetainedReconcilerTests {
  private func message(_ topic: String, _ payload: String) -> OutgoingMessage {
    OutgoingMessage(MQTTMessage(topic: topic, payload: Array(payload.utf8), isRetained: true), .state)
  }

  private func audit(_ seen: [(Int, String, String)]) -> RetainedReconciler {
    var audit = RetainedReconciler()
    for (board, topic, payload) in seen {
      audit.saw(.number(board), topic: topic, payload: Array(payload.utf8))
    }
    return audit
  }

  @Test func `F68 what is missing or differs is said again, what stands there is not`() {
    let audit = audit([(1, "a", "same"), (1, "b", "old")])
    let again = audit.stale([message("a", "same"), message("b", "new"), message("c", "missing")])
    #expect(again.map(\.message.topic) == ["b", "c"])
  }

  @Test func `F68 a broker that lost everything is told everything`() {
    #expect(audit([]).stale([message("a", "1"), message("b", "2")]).count == 2)
    #expect(audit([]).orphans(names: ["gw"], boards: []) == [])
  }

  @Test func `F68 documents of boards that are no longer ours are removed, all of them`() {
    let audit = audit([
      (1, "1/info", #"{"gw":"gw"}"#), (1, "1/led", #"{"state":"OFF"}"#), (2, "2/info", #"{"gw":"gw"}"#),
    ])
    #expect(audit.orphans(names: ["gw"], boards: [.number(2)]) == ["1/info", "1/led"])
  }

  @Test func `F68 other gateways' boards are theirs`() {
    let audit = audit([
      (1, "1/info", #"{"gw":"other"}"#), (1, "1/led", #"{"state":"OFF"}"#), (2, "2/led", "{}"),
    ])
    #expect(audit.orphans(names: ["gw"], boards: []) == [])
  }

  @Test func `F222 boards of an id that the gateway had are its own, and those of both ids`() {
    let audit = audit([
      (1, "1/info", #"{"gw":"old"}"#), (2, "2/info", #"{"gw":"gw"}"#), (2, "2/state", #"{"gw":"old"}"#),
      (3, "3/info", #"{"gw":"old"}"#), (3, "3/state", #"{"gw":"other"}"#),
    ])
    #expect(audit.orphans(names: ["gw", "old"], boards: []) == ["1/info", "2/info", "2/state"])
    #expect(audit.orphans(names: ["gw"], boards: []) == [])
  }

  private static let movedCases: [[(Int, String, String)]] = [
    [(1, "1/info", #"{"gw":"other"}"#), (1, "1/state", #"{"gw":"gw"}"#)],
    [(1, "1/state", #"{"gw":"gw"}"#), (1, "1/info", #"{"gw":"other"}"#)],
  ]

  @Test(
    arguments: movedCases)
  func `F68 a board that another gateway speaks for is not removed, in whatever order it was seen`(
    seen: [(Int, String, String)]
  ) {
    #expect(audit(seen).orphans(names: ["gw"], boards: []) == [])
  }

  @Test(
    arguments: ["", "{", "[]", #"{"gw":5}"#, "\u{0}", #"{"gw":"a","gw":"gw"}"#])
  func `hostile documents tell no owner`(payload: String) {
    #expect(DocumentOwner.gateway(in: Array(payload.utf8)) == nil)
    #expect(audit([(1, "1/info", payload)]).orphans(names: ["gw"], boards: []) == [])
  }

  @Test
  func `an empty payload is no document`() {
    #expect(audit([(1, "a", "")]).stale([message("a", "1")]).count == 1)
  }
}
