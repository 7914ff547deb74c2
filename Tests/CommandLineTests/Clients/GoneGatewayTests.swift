import Dialects
import FleetModel
import Testing

@testable import metafleet

/// What is removed of a gateway that is gone for good.
@Suite struct GoneGatewayTests {
  private static func gone(_ documents: [String: String]) -> GoneGateway {
    var gone = GoneGateway("g1", base: "m")
    for (topic, text) in documents {
      gone.saw(MQTTMessage(topic: "m/" + topic, payload: Array(text.utf8), isRetained: true))
    }
    return gone
  }

  private static let fleet = [
    "gateway/g1/availability": #"{"state":"offline","birth":3}"#, "gateway/g1/info": #"{"gateway":"g1"}"#,
    "gateway/g1/adapter/001a7dda7113": #"{"adapter":"001a7dda7113","name":"hci0"}"#,
    "board/e5a1c2d3f4b6/info": #"{"name":"Pump 3","gw":"g1"}"#, "board/e5a1c2d3f4b6/led": #"{"state":"OFF"}"#,
    "board/e5a1c2d3f4b7/info": #"{"name":"Pump 4","gw":"g2"}"#,
    "board/e5a1c2d3f4b7/availability": #"{"state":"online","gw":"g1"}"#,
    "board/e5a1c2d3f4b8/info": #"{"name":"Pump 5","gw":"g2"}"#,
  ]

  @Test func `F220 all of it goes, the gateway's own words last, and what others have stays`() {
    let gone = Self.gone(Self.fleet)
    #expect(gone.isKnown && !gone.isOnline)
    #expect(
      gone.removable == [
        "m/board/e5a1c2d3f4b6/info", "m/board/e5a1c2d3f4b6/led", "m/gateway/g1/adapter/001a7dda7113",
        "m/gateway/g1/info", "m/gateway/g1/availability",
      ])
    #expect(
      gone.listing == [
        "gateway g1: 3 documents", "  adapter 001a7dda7113 (hci0)", #"  board "Pump 3" (e5a1c2d3f4b6)"#,
        "stays: 1 board of which another gateway has spoken, too: e5a1c2d3f4b7",
      ])
  }

  @Test func `F220 one that comes online is noticed, and what is cleared is gone`() {
    var gone = Self.gone(Self.fleet)
    gone.saw(
      MQTTMessage(topic: "m/gateway/g1/availability", payload: Array(#"{"state":"online"}"#.utf8)))
    #expect(gone.isOnline)
    for topic in gone.removable { gone.saw(MQTTMessage(topic: topic, payload: [])) }
    #expect(gone.removable == [] && !gone.isKnown && !gone.isOnline)
  }

  @Test func `F220 what only goes by stays nowhere, and other gateways are not meant`() {
    var gone = Self.gone(["gateway/g10/info": "{}", "board/e5a1c2d3f4b8/info": #"{"gw":"g2"}"#])
    gone.saw(MQTTMessage(topic: "m/gateway/g1/event/process", payload: Array("{}".utf8)))
    #expect(!gone.isKnown && gone.removable == [])
  }
}
