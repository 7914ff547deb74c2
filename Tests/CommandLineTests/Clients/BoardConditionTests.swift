import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct BoardConditionTests {
  private func condition(_ documents: [String: String]) -> BoardCondition {
    var fleet = FleetView(base: "metafleet", scope: .everything)
    let known = [
      "board/e5a1c2d3f4b6/info": #"{"name":"Pump 3","gw":"g1"}"#,
      "gateway/g1/availability": #"{"state":"online"}"#,
    ]
    for (topic, text) in known.merging(documents, uniquingKeysWith: { $1 }) {
      fleet.apply(topic: "metafleet/\(topic)", payload: Array(text.utf8))
    }
    return BoardCondition(fleet.boards.values.first!, in: fleet)
  }

  @Test(
    arguments: [
      (#"{"state":"up","slots_used":3,"slots_total":8}"#, "waiting-to-connect", []),
      (#"{"state":"up","slots_used":8,"slots_total":8}"#, "waiting-for-slot", ["no-slots"]),
      (#"{"state":"down","slots_used":0,"slots_total":8}"#, "waiting-for-slot", ["no-slots"]),
      ("", "waiting-for-slot", ["no-slots"]),
    ] as [(String, String, [String])])
  func `who waits although places are free waits to be connected`(
    adapter: String, link: String, troubles: [String]
  ) {
    let condition = condition([
      "board/e5a1c2d3f4b6/state": #"{"link":"waiting-for-slot","gw":"g1"}"#,
      "gateway/g1/adapter/001a7dda7113": adapter,
    ])
    #expect(condition.link == link && condition.troubles == troubles)
  }

  @Test
  func
    `troubles are why it is not online, why it does not do what it should, and another board at its address`()
  {
    let condition = condition([
      "board/e5a1c2d3f4b6/availability": #"{"state":"offline","reason":"silent","gw":"g1"}"#,
      "board/e5a1c2d3f4b6/state":
        #"{"link":"unseen","reason_code":"not-heard","stream_reason_code":"stream-silent","identity_reason_code":"identity-changed","gw":"g1"}"#,
    ])
    #expect(condition.troubles == ["silent", "not-heard", "stream-silent", "identity-changed"])
    #expect(!condition.isOnline && !condition.isConnected && condition.link == "unseen")
  }

  @Test func `F214 of a board whose gateway is gone only that is known`() {
    let condition = condition([
      "board/e5a1c2d3f4b6/availability": #"{"state":"online","reason":"connected","gw":"g1"}"#,
      "board/e5a1c2d3f4b6/state": #"{"link":"streaming","gw":"g1"}"#,
      "gateway/g1/availability": #"{"state":"offline"}"#,
    ])
    #expect(condition.troubles == ["gateway-offline"] && condition.link == nil)
    #expect(!condition.isOnline && !condition.isConnected)
  }

  @Test func `a board that does what it should has no trouble`() {
    let condition = condition([
      "board/e5a1c2d3f4b6/availability": #"{"state":"online","reason":"connected","gw":"g1"}"#,
      "board/e5a1c2d3f4b6/state": #"{"link":"streaming","gw":"g1"}"#,
    ])
    #expect(condition.troubles.isEmpty && condition.isOnline && condition.isConnected)
  }
}
