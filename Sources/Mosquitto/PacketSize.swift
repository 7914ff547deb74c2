import FleetModel

/// How long a message is on the wire (MQTT 5, section 3.3). The library looks at the broker's limit a few bytes too
/// late, and then keeps the message for good; so we look first.
enum PacketSize {
  static func ofPublish(_ message: MQTTMessage) -> Int {
    let properties = ofProperties(message.properties)
    let identifier = message.qualityOfService == .atMostOnce ? 0 : 2
    let remaining =
      2 + message.topic.utf8.count + identifier + ofVariableInteger(properties) + properties
      + message.payload.count
    return 1 + ofVariableInteger(remaining) + remaining
  }

  private static func ofProperties(_ properties: MQTTMessage.Properties) -> Int {
    var size = 0
    if let text = properties.contentType { size += 3 + text.utf8.count }
    if properties.isText { size += 2 }
    if let text = properties.responseTopic { size += 3 + text.utf8.count }
    if !properties.correlationData.isEmpty { size += 3 + properties.correlationData.count }
    if properties.expiryInterval != nil { size += 5 }
    for property in properties.user { size += 5 + property.name.utf8.count + property.value.utf8.count }
    return size
  }

  private static func ofVariableInteger(_ value: Int) -> Int {
    switch value {
    case ..<128: 1
    case ..<16_384: 2
    case ..<2_097_152: 3
    default: 4
    }
  }
}
