import Dialects
import FleetModel
import Support
import Testing
import VirtualTime

@testable import Fleet

/// Boards announced to Home Assistant, over a broker (MQTT API 7).
@Suite struct UplinkHomeAssistantTests {
  private static let topic = "homeassistant/device/metafleet_\(BoardID.number(1))/config"

  private static var announcing: HomeAssistantConfiguration {
    var configuration = HomeAssistantConfiguration()
    configuration.isAnnounced = true
    return configuration
  }

  private static var events: [FleetEvent] {
    let pressure = StreamRequest(name: "pressure", configuration: ["every": "60s"])
    return [
      .info(
        BoardInfo(
          board: .number(1), family: "metamotion", name: "One", site: nil, profile: nil, groups: [],
          labels: [:], verbs: [], description: nil, interviewed: nil, changed: .at(0))),
      .configuration(
        ConfigurationReport(
          board: .number(1), changed: .at(0), profile: nil,
          desired: SetupDeclaration(streams: ["pressure": pressure]), reported: SetupDeclaration(),
          met: SetupDeclaration(), differences: [], overlay: [])),
    ]
  }

  private static var sample: FleetEvent {
    .live(
      LiveSample(
        board: .number(1), stream: "pressure", fields: [.init("pressure_pa", "Pa", decimals: 1)],
        time: .at(7), sequence: 0, values: [101_325]))
  }

  @Test func `a Home Assistant that begins is shown the last values with their own times`() throws {
    let rig = try UplinkRig(seed: 1, homeAssistant: Self.announcing)
    let live = "m/board/\(BoardID.number(1))/live/pressure"
    let payloads = try rig.run { () -> [String] in
      await rig.connected()
      await rig.uplink.deliver(Self.events + [Self.sample])
      _ = await rig.broker.message { $0.topic == Self.topic }
      await rig.broker.send("homeassistant/status", "offline")
      await rig.pass(.seconds(1))
      let before = await rig.broker.payloads(on: live)
      await rig.broker.send("homeassistant/status", "online")
      await rig.pass(.seconds(1))
      let after = await rig.broker.payloads(on: live)
      return before.count == 1 ? after : before
    }
    #expect(payloads.count == 2 && Set(payloads).count == 1)
  }

  @Test func `a board that left while we were away leaves no device`() throws {
    let rig = try UplinkRig(seed: 2, homeAssistant: Self.announcing)
    let theirs = "homeassistant/device/metafleet_\(BoardID.number(3))/config"
    let kept = try rig.run { () -> [String] in
      await rig.broker.send(
        Self.topic, #"{"availability":[{"topic":"m/gateway/gw/availability"}]}"#, isRetained: true)
      await rig.broker.send(
        theirs, #"{"availability":[{"topic":"m/gateway/west/availability"}]}"#, isRetained: true)
      await rig.connected()
      await rig.pass(.seconds(5))
      return await rig.broker.retained.keys.filter { $0.hasPrefix("homeassistant/") }.sorted()
    }
    #expect(kept == [theirs])
  }

  @Test func `a broker that lost the announcement gets it again`() throws {
    let rig = try UplinkRig(seed: 3, homeAssistant: Self.announcing)
    let isThere = try rig.run { () -> Bool in
      await rig.notes.set(Self.events, boards: [.number(1)])
      await rig.connected()
      await rig.uplink.deliver(Self.events)
      _ = await rig.broker.message { $0.topic == Self.topic }
      await rig.broker.drop()
      await rig.broker.forget()
      await rig.pass(.seconds(30))
      return await rig.broker.retained[Self.topic] != nil
    }
    #expect(isThere)
  }

  @Test func `switched on and off while connected, devices come and go`() throws {
    let rig = try UplinkRig(seed: 4)
    let (before, on, off) = try rig.run { () -> (Bool, Bool, Bool) in
      await rig.notes.set(Self.events, boards: [.number(1)])
      await rig.connected()
      await rig.uplink.deliver(Self.events)
      await rig.pass(.seconds(2))
      let before = await rig.broker.retained[Self.topic] != nil
      await rig.uplink.change(to: Self.announcing)
      await rig.pass(.seconds(2))
      let on = await rig.broker.retained[Self.topic] != nil
      await rig.uplink.change(to: HomeAssistantConfiguration())
      await rig.pass(.seconds(2))
      return (before, on, await rig.broker.retained[Self.topic] != nil)
    }
    #expect(!before && on && !off)
  }
}
