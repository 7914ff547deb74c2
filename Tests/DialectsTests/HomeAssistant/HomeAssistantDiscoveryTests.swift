import Dialects
import FleetModel
import Testing

/// When boards announce themselves to Home Assistant, and when no more (MQTT API 7).
@Suite struct HomeAssistantDiscoveryTests {
  private static let topic = "homeassistant/device/metafleet_e5a1c2d3f4b6/config"

  private static var announcing: HomeAssistantConfiguration {
    var configuration = HomeAssistantConfiguration()
    configuration.isAnnounced = true
    return configuration
  }

  private func discovery(_ configuration: HomeAssistantConfiguration = announcing) -> HomeAssistantDiscovery {
    HomeAssistantDiscovery(
      topics: TopicTree(base: "m", gateway: "gw"), version: "1.0.0", configuration: configuration)
  }

  private func info(name: String = "Pump 3", verbs: [String] = ["led"]) -> FleetEvent {
    .info(
      BoardInfo(
        board: .example, family: "metamotion", name: name, site: nil, profile: nil, groups: [], labels: [:],
        verbs: verbs, description: nil, interviewed: nil, changed: Timestamp(milliseconds: 0)))
  }

  private func configuration(_ streams: [String] = []) -> FleetEvent {
    let requests = Dictionary(
      uniqueKeysWithValues: streams.map { ($0, StreamRequest(name: $0, configuration: ["every": "60s"])) })
    let desired = SetupDeclaration(streams: requests)
    return .configuration(
      ConfigurationReport(
        board: .example, changed: Timestamp(milliseconds: 0), profile: nil, desired: desired,
        reported: SetupDeclaration(), met: SetupDeclaration(), differences: [], overlay: []))
  }

  private func keys(_ message: OutgoingMessage?) throws -> JSONObject {
    try #require(try object(message?.message.payload ?? [])["components"]?.object)
  }

  @Test func `nothing is said unless the file asks for it`() {
    var discovery = discovery(HomeAssistantConfiguration())
    #expect(discovery.messages(for: info()).isEmpty && discovery.messages(for: configuration()).isEmpty)
    #expect(discovery.places.subscriptions.isEmpty && discovery.places.retainedFilters.isEmpty)
  }

  @Test
  func `a board is announced once who it is and what it does are known, and again only when that changed`() {
    var discovery = discovery()
    #expect(discovery.messages(for: info()).isEmpty)
    let first = discovery.messages(for: configuration())
    #expect(first.map(\.message.topic) == [Self.topic])
    #expect(first.map(\.message.isRetained) == [true])
    #expect(discovery.messages(for: configuration()).isEmpty && discovery.messages(for: info()).isEmpty)
    #expect(discovery.messages(for: info(name: "Pump 4")).count == 1)
  }

  @Test func `F267 the file's key for firmware counts at once`() throws {
    var discovery = discovery()
    var permitting = Self.announcing
    let events = [info(verbs: ["firmware-update"]), configuration()]
    let first = events.flatMap { discovery.messages(for: $0) }.last
    #expect(try keys(first)["firmware"]?.object?["command_topic"] == nil)
    permitting.installsFirmware = true
    let second = discovery.change(to: permitting, events).last
    #expect(try keys(second)["firmware"]?.object?["command_topic"] != nil)
  }

  @Test func `a stream that is gone is withdrawn by name, until it is back`() throws {
    var discovery = discovery()
    _ = discovery.messages(for: info())
    let with = discovery.messages(for: configuration(["pressure"]))
    #expect(try keys(with.first)["pressure"]?.object?["state_topic"] != nil)
    let without = discovery.messages(for: configuration())
    #expect(try keys(without.first)["pressure"] == ["platform": "sensor"])
    let again = discovery.messages(for: configuration(["pressure"]))
    #expect(try keys(again.first)["pressure"]?.object?["state_topic"] != nil)
  }

  @Test func `what an earlier run announced is withdrawn, too`() throws {
    var earlier = discovery()
    _ = earlier.messages(for: info())
    let retained = try #require(earlier.messages(for: configuration(["pressure"])).first?.message.payload)
    var discovery = discovery()
    _ = discovery.messages(for: info())
    _ = discovery.messages(for: configuration())
    #expect(discovery.owner(in: retained, of: .example) == "gw")
    #expect(try keys(discovery.current.first)["pressure"] == ["platform": "sensor"])
  }

  @Test func `a forgotten board leaves nothing`() {
    var discovery = discovery()
    _ = discovery.messages(for: info())
    _ = discovery.messages(for: configuration())
    let gone = discovery.messages(for: .forgotten(.example))
    #expect(gone.map(\.message.topic) == [Self.topic])
    #expect(gone.map(\.message.payload) == [[]] && gone.map(\.message.isRetained) == [true])
    #expect(discovery.current.isEmpty)
    #expect(discovery.messages(for: .forgotten(.example)).isEmpty)
  }

  @Test func `another prefix removes what stood below the old one`() {
    var discovery = discovery()
    let events = [info(), configuration()]
    for event in events { _ = discovery.messages(for: event) }
    var other = Self.announcing
    other.prefix = "ha"
    let moved = discovery.change(to: other, events)
    #expect(moved.map(\.message.topic) == [Self.topic, "ha/device/metafleet_e5a1c2d3f4b6/config"])
    #expect(moved.map(\.message.payload.isEmpty) == [true, false])
    let off = discovery.change(to: HomeAssistantConfiguration(), events)
    #expect(off.map(\.message.topic) == ["ha/device/metafleet_e5a1c2d3f4b6/config"])
    #expect(off.map(\.message.payload.isEmpty) == [true])
    #expect(discovery.change(to: HomeAssistantConfiguration(), events).isEmpty)
  }

  @Test func `the last values of what is shown are kept, and of nothing else`() {
    var discovery = discovery()
    _ = discovery.messages(for: info())
    _ = discovery.messages(for: configuration(["pressure"]))
    for (stream, text) in [("pressure", "old"), ("acceleration", "wave"), ("pressure", "new")] {
      discovery.saw(
        MQTTMessage(topic: "m/board/e5a1c2d3f4b6/live/\(stream)", payload: Array(text.utf8)), of: .example)
    }
    #expect(discovery.lastValues.map { String(decoding: $0.payload, as: UTF8.self) } == ["new"])
    _ = discovery.messages(for: configuration())
    #expect(discovery.lastValues.isEmpty)
  }

  @Test func `a document of another fleet, or nonsense, has no owner here`() {
    var discovery = discovery()
    for text in ["", "[]", "{}", #"{"availability":[{"topic":"other/gateway/gw/availability"}]}"#] {
      #expect(discovery.owner(in: Array(text.utf8), of: .example) == nil)
    }
    let other = #"{"availability":[{"topic":"m/gateway/west/availability"}]}"#
    #expect(discovery.owner(in: Array(other.utf8), of: .example) == "west")
  }
}
