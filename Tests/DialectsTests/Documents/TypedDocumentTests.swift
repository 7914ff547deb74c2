import FleetModel
import Testing

@testable import Dialects

/// Whoever reads a document finds what was written, and nil for what another version wrote otherwise.
@Suite struct TypedDocumentTests {
  private static let time = Timestamp(milliseconds: 1_763_671_234_567)

  @Test func `what is written is read by the same fields`() {
    var state = BoardState(board: .example, link: .streaming, time: Self.time)
    state.reason = StatedReason(.setupBoardError, "steps: no")
    state.battery.percent = 41
    state.contact.next = Self.time + .seconds(60)
    state.clock.error = 1.5
    state.isInSync = false
    let read = BoardStateDocument(JSONWriter.render(BoardStateDocument(state, gateway: "g1").json))
    #expect(read?[.link] == .streaming && read?[.reasonCode] == .setupBoardError)
    #expect(read?[.batteryPercent] == 41 && read?[.nextContact] == Self.time + .seconds(60))
    #expect(read?[.clockError] == 1.5 && read?[.isInSync] == false && read?[.rssi] == nil)
    #expect(read?[.board] == .example && read?[.gateway] == "g1")
  }

  @Test func `a health number is read by its metric`() {
    let health = HealthDocument([.outboxMessages: 7], at: Self.time, storage: .locked, gateway: "g1")
    #expect(health[.outboxMessages] == 7 && health[.uptime] == 0 && health[.storage] == .locked)
  }

  @Test func `what is missing, of another type or unknown reads as nil, and stays in the document`() {
    let document = BoardStateDocument(json: ["link": "levitating", "battery_pct": "full", "boot": 3])
    #expect(document[.link] == nil && document[.linkWord] == "levitating")
    #expect(document[.batteryPercent] == nil && document[.lastSeen] == nil && document[.boot] == 3)
    #expect(document.json["battery_pct"] == "full")
  }

  @Test(arguments: ["", "[]", "{", "7", "null"]) func `what is no object is no document`(text: String) {
    #expect(ReplyDocument(Array(text.utf8)) == nil)
  }

  @Test func `elements of another type are left out of a list`() {
    let document = ConfigurationDocument(json: ["differences": ["a", 1, "b"], "reported": ["log": [:]]])
    #expect(document[.differences] == ["a", "b"] && !document.logsSomething)
  }
}
