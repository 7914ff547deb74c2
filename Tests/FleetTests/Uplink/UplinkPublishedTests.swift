import FleetModel
import Testing
import VirtualTime

@testable import Fleet

/// What pages hear beside the broker.
@Suite struct UplinkPublishedTests {
  @Test func `F243 what is published is heard at once and once, also before there is a broker`() throws {
    let rig = try UplinkRig(seed: 1)
    let (before, after) = try rig.run { () -> ([String], [String]) in
      // No attempt to connect has come about yet.
      await rig.publish(1)
      let before = rig.heard.all.map(\.topic)
      await rig.connected()
      await rig.publish(2)
      return (before, rig.heard.all.map(\.topic))
    }
    let topic = "m/gateway/gw/event/process"
    #expect(before == [topic] && after.filter { $0 == topic }.count == 2)
  }

  @Test func `a document that is removed is heard as nothing`() throws {
    let rig = try UplinkRig(seed: 1)
    try rig.run { await rig.uplink.deliver([.forgotten(.number(1))]) }
    #expect(!rig.heard.all.isEmpty && rig.heard.all.allSatisfy { $0.isRetained && $0.payload.isEmpty })
  }
}
