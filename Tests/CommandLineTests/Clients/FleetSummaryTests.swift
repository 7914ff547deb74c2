import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct FleetSummaryTests {
  private let now = Timestamp(milliseconds: 1_763_671_090_000)

  @Test func `boards are counted by how they are, those of gateways that are gone by gateway`() {
    var fleet = exampleFleet()
    let offline = #"{"state":"offline","birth":1,"since_ms":1763671000000}"#
    fleet.apply(topic: "metafleet/gateway/g2/availability", payload: Array(offline.utf8))
    let summary = FleetSummary(boards: fleet.sorted, fleet: fleet)
    #expect(summary.online == 1 && summary.troubled == 1)
    #expect(
      summary.sentence(now: now)
        == "6 boards: 1 online, 4 not known yet; gateway g2 is offline for 90s: 1 board")
  }

  @Test func `a board without a gateway belongs to none`() {
    var fleet = FleetView(base: "metafleet")
    fleet.apply(topic: "metafleet/board/e5a1c2d3f4b6/info", payload: Array(#"{"name":"x"}"#.utf8))
    #expect(
      FleetSummary(boards: fleet.sorted, fleet: fleet).sentence(now: now)
        == "1 board; without a gateway: 1 board")
  }

  @Test func `an empty list says why and what to do`() {
    var fleet = FleetView(base: "metafleet")
    #expect(FleetSummary.emptiness(of: fleet, BoardFilter()).contains("metafleet run"))
    fleet.apply(topic: "metafleet/gateway/g1/availability", payload: Array(#"{"state":"offline"}"#.utf8))
    #expect(
      FleetSummary.emptiness(of: fleet, BoardFilter())
        == "no board is admitted, and no gateway is online; metafleet scan shows what is in range")
    #expect(
      FleetSummary.emptiness(of: exampleFleet(), BoardFilter(group: "west"))
        == "none of 6 boards is in group west")
  }
}
