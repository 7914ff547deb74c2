import FleetModel
import Testing

@testable import Mosquitto

@Suite struct PropertyListTests {
  @Test func `what is written is read`() throws {
    var properties = MQTTMessage.Properties()
    properties.contentType = "application/json"
    properties.responseTopic = "there/ü"
    properties.correlationData = Array(0...255)
    properties.expiryInterval = .max
    properties.user = [.init("a", "1"), .init("a", ""), .init("", "b")]
    let list = try PropertyList(properties)
    #expect(MQTTMessage.Properties(reading: list.head) == properties)
  }

  @Test func `nothing is an empty list`() throws {
    let list = try PropertyList(MQTTMessage.Properties())
    #expect(list.head == nil)
    #expect(MQTTMessage.Properties(reading: nil) == MQTTMessage.Properties())
  }
}
