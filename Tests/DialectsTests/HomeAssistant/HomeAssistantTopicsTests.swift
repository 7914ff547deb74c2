import FleetModel
import Testing

@testable import Dialects

/// What the broker says on Home Assistant's topics (MQTT API 7).
@Suite struct HomeAssistantTopicsTests {
  private static let topic = "homeassistant/device/metafleet_e5a1c2d3f4b6/config"

  private func topics(_ change: (inout HomeAssistantConfiguration) -> Void = { _ in }) -> HomeAssistantTopics
  {
    var configuration = HomeAssistantConfiguration()
    configuration.isAnnounced = true
    change(&configuration)
    return HomeAssistantTopics(configuration, base: "m")
  }

  @Test(
    arguments: [
      (topic, true), ("homeassistant/device/metafleet_e5a1c2d3f4b6/state", false),
      ("homeassistant/device/zigbee_e5a1c2d3f4b6/config", false),
      ("homeassistant/device/metafleet_pump/config", false),
      ("other/device/metafleet_e5a1c2d3f4b6/config", false), ("config", false),
    ])
  func `only our own documents are ours`(_ topic: String, _ isOurs: Bool) {
    #expect((topics().board(of: topic) != nil) == isOurs)
    #expect(topics { $0.isAnnounced = false }.board(of: topic) == nil)
  }

  @Test func `a document stands where it is looked for, whatever the prefix`() {
    let topics = topics { $0.prefix = "a/b" }
    #expect(topics.board(of: topics.document(of: .example)) == .example)
    #expect(topics.retainedFilters == ["a/b/device/+/config"])
  }

  @Test func `Home Assistant begins with online on its topic`() {
    func isBirth(_ topic: String, _ text: String) -> Bool {
      topics().isBirth(MQTTMessage(topic: topic, payload: Array(text.utf8)))
    }
    #expect(isBirth("homeassistant/status", "online"))
    #expect(!isBirth("homeassistant/status", "offline") && !isBirth("other/status", "online"))
    #expect(topics().subscriptions.map(\.filter) == ["homeassistant/status"])
    #expect(topics { $0.isAnnounced = false }.subscriptions.isEmpty)
  }

  @Test func `a document names the gateway that speaks for the board, where it is of this fleet`() throws {
    func gateway(_ availability: JSONValue) -> String? {
      topics().gateway(in: ["availability": availability])
    }
    #expect(gateway([["topic": "x"], ["topic": "m/gateway/west/availability"]]) == "west")
    #expect(gateway([["topic": "other/gateway/west/availability"]]) == nil)
    #expect(gateway([]) == nil && gateway("m/gateway/west/availability") == nil)
  }
}
