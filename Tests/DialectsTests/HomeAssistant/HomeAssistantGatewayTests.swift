import FleetModel
import Testing

@testable import Dialects

/// What Home Assistant is told of the gateway (MQTT API 7).
@Suite struct HomeAssistantGatewayTests {
  private static let topic = "homeassistant/device/metafleet_gateway_gw/config"

  private static let info = FleetEvent.gatewayInfo(
    GatewayInfo(
      site: nil, version: "1.0.0", host: "pi", operatingSystem: "Debian", configurationHash: "0",
      started: Timestamp(milliseconds: 0), adapters: [], boards: [], admissionMode: "listed", verbs: [],
      mqttProtocol: "5", changed: Timestamp(milliseconds: 0)))

  private static func discovery(_ isAnnounced: Bool = true) -> HomeAssistantDiscovery {
    var configuration = HomeAssistantConfiguration()
    configuration.isAnnounced = isAnnounced
    return HomeAssistantDiscovery(
      topics: TopicTree(base: "m", gateway: "gw"), version: "1.0.0", configuration: configuration)
  }

  @Test func `it has its number of alarms, and whether somebody should see to one`() throws {
    let document = HomeAssistantGateway(topics: TopicTree(base: "m", gateway: "gw"), version: "1.0.0")
      .document
    #expect(document["device"]?.object?["identifiers"] == ["metafleet_gateway_gw"])
    let components = try #require(document["components"]?.object)
    #expect(components.keys == ["alarms", "problem"])
    for (key, value) in components.members {
      let component = try #require(value.object)
      #expect(component["state_topic"] == "m/gateway/gw/alarms")
      #expect(component["unique_id"] == .string("metafleet_gateway_gw_\(key)"))
    }
    #expect(components["problem"]?.object?["device_class"] == "problem")
    let places = document["availability"]?.array?.map { $0.object?["topic"] }
    #expect(places == ["m/gateway/gw/availability"])
  }

  @Test func `it is announced once, and withdrawn when the file does not ask for it any more`() {
    var discovery = Self.discovery()
    let first = discovery.messages(for: Self.info)
    #expect(first.map(\.message.topic) == [Self.topic] && first.map(\.message.isRetained) == [true])
    #expect(discovery.messages(for: Self.info).isEmpty)
    #expect(discovery.current.map(\.message.topic) == [Self.topic])
    let gone = discovery.change(to: HomeAssistantConfiguration(), [Self.info])
    #expect(gone.map(\.message.topic) == [Self.topic] && gone.map(\.message.payload) == [[]])
    #expect(discovery.current.isEmpty)
    var silent = Self.discovery(false)
    #expect(silent.messages(for: Self.info).isEmpty && silent.current.isEmpty)
  }
}
