package import Dialects
import FleetModel

/// A broker in memory: keeps what it is given, holds retained messages, and can go away.
package actor RecordingBroker: Broker {
  package nonisolated let events: AsyncStream<BrokerEvent>
  private let emit: AsyncStream<BrokerEvent>.Continuation
  private var isReachable = true
  private var isConnected = false
  private var filters: [String] = []
  private var waiters:
    [(matches: @Sendable (MQTTMessage) -> Bool, continuation: CheckedContinuation<MQTTMessage, Never>)] = []

  /// Everything published, in order.
  package private(set) var published: [MQTTMessage] = []
  /// Retained messages by topic.
  package private(set) var retained: [String: [UInt8]] = [:]
  /// The wills of the connections, in order.
  package private(set) var wills: [MQTTMessage] = []

  package init() { (events, emit) = AsyncStream.makeStream() }

  package func connect(
    will: MQTTMessage?, protocolVersion: BrokerConnection.ProtocolVersion
  ) async throws(BrokerFailure) -> BrokerConnection {
    guard isReachable else { throw .unreachable("nobody listens") }
    isConnected = true
    filters = []
    if let will { wills.append(will) }
    return BrokerConnection(
      protocolVersion: protocolVersion, isSessionPresent: false, receiveMaximum: 20, maximumPacketSize: nil)
  }

  package func subscribe(to subscriptions: [Subscription]) async throws(BrokerFailure) {
    guard isConnected else { throw .connectionLost("not connected") }
    filters += subscriptions.map(\.filter)
    for subscription in subscriptions {
      for (topic, payload) in retained.sorted(by: { $0.key < $1.key })
      where Self.matches(topic, subscription.filter) {
        emit.yield(.message(MQTTMessage(topic: topic, payload: payload, isRetained: true)))
      }
    }
  }

  package func unsubscribe(from filters: [String]) async throws(BrokerFailure) {
    self.filters.removeAll { filters.contains($0) }
  }

  package func publish(_ messages: [(message: MQTTMessage, token: UInt64)]) async {
    for (message, token) in messages {
      guard isConnected else {
        if message.qualityOfService != .atMostOnce {
          emit.yield(.acknowledged(token: token, failure: .connectionLost("not connected")))
        }
        continue
      }
      accept(message)
      if message.qualityOfService != .atMostOnce { emit.yield(.acknowledged(token: token, failure: nil)) }
    }
  }

  package func disconnect(within limit: Duration) async { isConnected = false }

  private func accept(_ message: MQTTMessage) {
    published.append(message)
    if message.isRetained { retained[message.topic] = message.payload.isEmpty ? nil : message.payload }
    let served = waiters.filter { $0.matches(message) }
    waiters.removeAll { $0.matches(message) }
    for waiter in served { waiter.continuation.resume(returning: message) }
  }

  // For tests.

  /// Somebody else publishes.
  package func send(_ message: MQTTMessage) {
    if message.isRetained { retained[message.topic] = message.payload.isEmpty ? nil : message.payload }
    guard filters.contains(where: { Self.matches(message.topic, $0) }) else { return }
    var delivered = message
    delivered.isRetained = false
    emit.yield(.message(delivered))
  }

  /// Somebody else publishes JSON.
  package func send(_ topic: String, _ text: String) {
    send(MQTTMessage(topic: topic, payload: Array(text.utf8)))
  }

  /// The broker goes away or comes back.
  package func setReachable(_ reachable: Bool) {
    isReachable = reachable
    guard !reachable, isConnected else { return }
    isConnected = false
    emit.yield(.disconnected(.connectionLost("the broker went away")))
  }

  /// Waits for the next message that `matches`, from now on or already there.
  package func message(where matches: @escaping @Sendable (MQTTMessage) -> Bool) async -> MQTTMessage {
    if let known = published.first(where: matches) { return known }
    return await withCheckedContinuation { waiters.append((matches, $0)) }
  }

  /// Waits for whatever is published next.
  package func nextMessage() async {
    _ = await withCheckedContinuation { waiters.append(({ _ in true }, $0)) }
  }

  private static func matches(_ topic: String, _ filter: String) -> Bool {
    let topicLevels = topic.split(separator: "/", omittingEmptySubsequences: false)
    let filterLevels = filter.split(separator: "/", omittingEmptySubsequences: false)
    for (index, level) in filterLevels.enumerated() {
      if level == "#" { return true }
      guard index < topicLevels.count, level == "+" || level == topicLevels[index] else { return false }
    }
    return topicLevels.count == filterLevels.count
  }
}
