import FleetModel
import Testing

@testable import Mosquitto

@Suite struct PacketSizeTests {
  // MQTT 5, section 3.3: counted by hand.
  @Test func `the smallest message`() {
    // Header 2, topic 2 + 1, properties 1.
    #expect(PacketSize.ofPublish(MQTTMessage(topic: "a", payload: [], qualityOfService: .atMostOnce)) == 6)
    // And a message id.
    #expect(PacketSize.ofPublish(MQTTMessage(topic: "a", payload: [])) == 8)
  }

  @Test(arguments: [(121, 129), (122, 131), (16_377, 16_387 - 1), (16_378, 16_388)])
  func `the length grows with what it counts`(payload: Int, size: Int) {
    let message = MQTTMessage(topic: "a", payload: Array(repeating: 0, count: payload))
    #expect(PacketSize.ofPublish(message) == size)
  }

  @Test func `properties`() {
    var message = MQTTMessage(topic: "é", payload: [])
    message.properties.contentType = "ab"
    message.properties.responseTopic = "abc"
    message.properties.correlationData = [1, 2, 3, 4]
    message.properties.expiryInterval = 1
    message.properties.user = [.init("a", "bc"), .init("", "")]
    // 2, topic 4, id 2, length 1; 5 + 6 + 7 + 5 + 8 + 5.
    #expect(PacketSize.ofPublish(message) == 9 + 36)
    // Text says that it is.
    message.properties.contentType = "text/a"
    #expect(PacketSize.ofPublish(message) == 9 + 36 + 4 + 2)
  }
}
