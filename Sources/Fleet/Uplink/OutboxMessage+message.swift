import Dialects
import FleetModel
import Storage

/// Messages as the outbox keeps them, and as they go to the broker.
extension OutboxMessage {
  init(_ message: MQTTMessage, as deliveryClass: DeliveryClass, samples: Int, created: Timestamp) {
    var properties = Properties()
    properties.contentType = message.properties.contentType
    properties.responseTopic = message.properties.responseTopic
    if !message.properties.correlationData.isEmpty {
      properties.correlationData = message.properties.correlationData
    }
    properties.expiryInterval = message.properties.expiryInterval
    if !message.properties.user.isEmpty {
      properties.user = message.properties.user.map { .init($0.name, $0.value) }
    }
    let priority: Priority =
      switch deliveryClass {
      case .state: .reply
      case .event: .log
      case .record: .record
      }
    self.init(
      priority, topic: message.topic, payload: message.payload, created: created,
      qualityOfService: message.qualityOfService.rawValue, isRetained: message.isRetained,
      properties: properties,
      samples: samples)
  }

  /// As it goes to the broker.
  var message: MQTTMessage {
    var message = MQTTMessage(
      topic: topic, payload: payload, qualityOfService: .init(rawValue: qualityOfService) ?? .atLeastOnce,
      isRetained: isRetained)
    message.properties.contentType = properties.contentType
    message.properties.responseTopic = properties.responseTopic
    message.properties.correlationData = properties.correlationData
    message.properties.expiryInterval = properties.expiryInterval
    message.properties.user = properties.user.map { .init($0.name, $0.value) }
    return message
  }
}
