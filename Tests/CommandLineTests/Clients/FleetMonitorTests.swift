import Dialects
import FleetModel
import Testing

@testable import metafleet

@Suite struct FleetMonitorTests {
  private func received(_ monitor: inout FleetMonitor, _ topic: String, _ text: String) {
    monitor.received(MQTTMessage(topic: "metafleet/\(topic)", payload: Array(text.utf8)), at: .zero)
  }

  @Test
  func
    `F211 the picture stays until a broker that is back has said all, and what it no longer keeps goes then`()
  {
    var monitor = exampleMonitor()
    monitor.restored(FleetView(base: "metafleet", scope: .everything))
    #expect(monitor.fleet.boards.count == 6)
    received(&monitor, "gateway/g1/availability", #"{"state":"online","birth":4}"#)
    received(&monitor, "board/e5a1c2d3f4b6/info", #"{"name":"Pump three","gw":"g1"}"#)
    // What comes is shown at once; g2 was not mentioned yet.
    var isWhole = monitor.isWhole(after: .seconds(20))
    #expect(!isWhole && monitor.fleet.boards.count == 6)
    #expect(monitor.fleet.boards.values.contains { $0.name == "Pump three" })
    received(&monitor, "gateway/g2/availability", #"{"state":"offline","birth":1}"#)
    isWhole = monitor.isWhole(after: .milliseconds(500))
    #expect(!isWhole)
    isWhole = monitor.isWhole(after: .seconds(1))
    #expect(isWhole && monitor.fleet.boards.count == 1)
    isWhole = monitor.isWhole(after: .zero)
    #expect(isWhole)
  }

  @Test func `F211 a gateway that does not come back is waited for half a minute`() {
    var monitor = exampleMonitor()
    monitor.restored(FleetView(base: "metafleet", scope: .everything))
    var isWhole = monitor.isWhole(after: .seconds(29))
    #expect(!isWhole)
    isWhole = monitor.isWhole(after: .seconds(30))
    #expect(isWhole && monitor.fleet.gateways.isEmpty)
  }
}
