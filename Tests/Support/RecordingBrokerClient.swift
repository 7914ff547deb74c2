package import Dialects
package import FleetModel

/// What one run of a daemon has of a `RecordingBroker` that outlives it: events of its own.
package struct RecordingBrokerClient: Broker {
  package let events: AsyncStream<BrokerEvent>
  private let outlet: AsyncStream<BrokerEvent>.Continuation
  private let broker: RecordingBroker

  /// A client that has not connected yet.
  package init(of broker: RecordingBroker) {
    self.broker = broker
    (events, outlet) = AsyncStream.makeStream()
  }

  package func connect(
    will: MQTTMessage?, protocolVersion: BrokerConnection.ProtocolVersion
  ) async throws(BrokerFailure) -> BrokerConnection {
    await broker.attach(outlet)
    return try await broker.connect(will: will, protocolVersion: protocolVersion)
  }

  package func subscribe(to subscriptions: [Subscription]) async throws(BrokerFailure) {
    try await broker.subscribe(to: subscriptions)
  }

  package func unsubscribe(from filters: [String]) async throws(BrokerFailure) {
    try await broker.unsubscribe(from: filters)
  }

  package func publish(_ messages: [(message: MQTTMessage, token: UInt64)]) async {
    await broker.publish(messages)
  }

  package func disconnect(within limit: Duration) async { await broker.disconnect(within: limit) }
}
