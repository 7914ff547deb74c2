/// One MQTT application message, in or out.
package struct MQTTMessage: Hashable, Sendable {
  package enum QualityOfService: UInt8, Sendable { case atMostOnce = 0, atLeastOnce = 1, exactlyOnce = 2 }

  package var topic: String
  package var payload: [UInt8]
  package var qualityOfService: QualityOfService
  package var isRetained: Bool
  /// MQTT's DUP flag of an incoming message.
  package var isRedelivery: Bool = false
  /// MQTT 5 properties; empty or nil where the protocol or the sender has none.
  package var properties = Properties()

  package struct Properties: Hashable, Sendable {
    package var contentType: String?
    package var responseTopic: String?
    package var correlationData: [UInt8] = []
    /// Seconds until the message is worthless.
    package var expiryInterval: UInt32?
    package var user: [UserProperty] = []

    /// MQTT 5's payload format indicator: whether the payload is UTF-8, as the content type tells.
    package var isText: Bool { contentType == "application/json" || contentType?.hasPrefix("text/") == true }

    package init() {}
  }

  package init(
    topic: String, payload: [UInt8], qualityOfService: QualityOfService = .atLeastOnce,
    isRetained: Bool = false
  ) {
    self.topic = topic
    self.payload = payload
    self.qualityOfService = qualityOfService
    self.isRetained = isRetained
  }
}
