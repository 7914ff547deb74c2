import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct GatewayChoiceTests {
  private func fleet(_ gateways: [String: String]) -> FleetView {
    var fleet = FleetView(base: "metafleet")
    for (id, state) in gateways {
      fleet.apply(
        topic: "metafleet/gateway/\(id)/availability",
        payload: Array(#"{"state":"\#(state)","birth":1}"#.utf8))
    }
    return fleet
  }

  @Test func `the only gateway needs no name`() throws {
    #expect(try GatewayChoice(fleet: fleet(["g1": "online"])).resolve(named: nil) == "g1")
  }

  @Test func `of several one is named`() throws {
    let choice = GatewayChoice(fleet: fleet(["g1": "online", "g2": "online"]))
    #expect(try choice.resolve(named: "g2") == "g2")
    expect(64, "there are g1, g2; name one with --gateway") { try choice.resolve(named: nil) }
    expect(64, "there is no gateway \"g3\"") { try choice.resolve(named: "g3") }
  }

  @Test func `a board's own gateway is meant`() throws {
    let choice = GatewayChoice(fleet: exampleFleet())
    #expect(try choice.resolve(named: nil, for: BoardID("e5a1c2d3f4b6")) == "g1")
    expect(64, "name one") { try choice.resolve(named: nil, for: BoardID("0123456789ab")) }
  }

  @Test func `nobody answers for a gateway that is gone, or never was`() {
    let choice = GatewayChoice(fleet: exampleFleet())
    expect(69, "g2 is offline") { try choice.resolve(named: "g2") }
    expect(69, "g2 is offline") { try choice.resolve(named: nil, for: BoardID("e5a1c2d3f4b7")) }
    expect(69, "no gateway") { try GatewayChoice(fleet: fleet([:])).resolve(named: nil) }
  }

  private func expect(_ status: Int32, _ words: String, _ body: () throws -> String) {
    #expect {
      _ = try body()
    } throws: {
      guard let failure = $0 as? CommandLineFailure else { return false }
      return failure.status.rawValue == status && failure.message.contains(words)
    }
  }
}
