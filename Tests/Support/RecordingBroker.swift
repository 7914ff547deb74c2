package import Dialects
package import FleetModel

/// A broker in memory: keeps what it is given, holds retained messages, sends wills, and can misbehave.
///
/// It has an executor of its own, so that it outlives a client that is killed.
package actor RecordingBroker: Broker {
  /// What becomes of a QoS 1 message that a client hands over.
  package enum Fate: Sendable, Equatable {
    case accepted
    case refused(UInt8)
    /// Consumers get it; the acknowledgement is lost.
    case unacknowledged
    /// It is lost on its way.
    case swallowed
  }

  private let executor: any SerialExecutor
  package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  package nonisolated let events: AsyncStream<BrokerEvent>
  /// Where the events of whoever connected last go.
  private var outlet: AsyncStream<BrokerEvent>.Continuation
  private var isReachable = true
  private var isConnected = false
  package private(set) var fate = Fate.accepted
  private var subscriptions: [Subscription] = []
  private var will: MQTTMessage?
  private var observers: [@Sendable (MQTTMessage, Fate) -> Void] = []
  private var waiters:
    [(matches: @Sendable (MQTTMessage) -> Bool, outlet: AsyncStream<MQTTMessage>.Continuation)] = []

  /// Whether what consumers got is kept; for runs of days, observers must do.
  private let keepsMessages: Bool
  /// Everything that consumers got, in order.
  package private(set) var published: [MQTTMessage] = []
  /// Retained messages by topic.
  package private(set) var retained: [String: [UInt8]] = [:]
  /// The wills of the connections, in order.
  package private(set) var wills: [MQTTMessage] = []

  package init(on executor: any SerialExecutor = SerialQueue(), keepingMessages keepsMessages: Bool = true) {
    self.executor = executor
    self.keepsMessages = keepsMessages
    (events, outlet) = AsyncStream.makeStream()
  }

  package func connect(
    will: MQTTMessage?, protocolVersion: BrokerConnection.ProtocolVersion
  ) async throws(BrokerFailure) -> BrokerConnection {
    guard isReachable else { throw .unreachable("nobody listens") }
    isConnected = true
    subscriptions = []
    self.will = will
    if let will { wills.append(will) }
    return BrokerConnection(
      protocolVersion: protocolVersion, isSessionPresent: false, receiveMaximum: 20, maximumPacketSize: nil)
  }

  package func subscribe(to subscriptions: [Subscription]) async throws(BrokerFailure) {
    guard isConnected else { throw .connectionLost("not connected") }
    self.subscriptions += subscriptions
    for subscription in subscriptions {
      for (topic, payload) in retained.sorted(by: { $0.key < $1.key })
      where Self.matches(topic, subscription.filter) {
        outlet.yield(.message(MQTTMessage(topic: topic, payload: payload, isRetained: true)))
      }
    }
  }

  package func unsubscribe(from filters: [String]) async throws(BrokerFailure) {
    subscriptions.removeAll { filters.contains($0.filter) }
  }

  package func publish(_ messages: [(message: MQTTMessage, token: UInt64)]) async {
    for (message, token) in messages {
      let isAnswered = message.qualityOfService != .atMostOnce
      guard isConnected else {
        if isAnswered {
          outlet.yield(
            .acknowledged([Acknowledgement(token: token, failure: .connectionLost("not connected"))]))
        }
        continue
      }
      switch fate {
      case .accepted, .unacknowledged:
        accept(message)
        if isAnswered, fate == .accepted {
          outlet.yield(.acknowledged([Acknowledgement(token: token, failure: nil)]))
        }
      case .refused(let code):
        for observer in observers { observer(message, fate) }
        if isAnswered {
          outlet.yield(
            .acknowledged([Acknowledgement(token: token, failure: .refused(code, "refused on request"))]))
        }
      case .swallowed: for observer in observers { observer(message, fate) }
      }
    }
  }

  package func disconnect(within limit: Duration) async {
    isConnected = false
    will = nil
  }

  private func accept(_ message: MQTTMessage) {
    if keepsMessages { published.append(message) }
    if message.isRetained { retained[message.topic] = message.payload.isEmpty ? nil : message.payload }
    for observer in observers { observer(message, fate) }
    let served = waiters.filter { $0.matches(message) }
    waiters.removeAll { $0.matches(message) }
    for waiter in served { waiter.outlet.yield(message) }
    // The client hears itself where it did not ask to be spared.
    if isConnected, subscriptions.contains(where: { !$0.isNoLocal && Self.matches(message.topic, $0.filter) })
    {
      var echo = message
      echo.isRetained = false
      outlet.yield(.message(echo))
    }
  }

  /// The connection broke: what the client left as its will is published.
  private func breakConnection(_ reason: String) {
    guard isConnected else { return }
    isConnected = false
    outlet.yield(.disconnected(.connectionLost(reason)))
    publishWill()
  }

  private func publishWill() {
    guard let will else { return }
    self.will = nil
    let fate = fate
    self.fate = .accepted
    accept(will)
    self.fate = fate
  }
}

// For clients and tests.
extension RecordingBroker {
  /// Whether somebody is connected.
  package var hasClient: Bool { isConnected }

  /// Where events go from now on: to another client.
  func attach(_ outlet: AsyncStream<BrokerEvent>.Continuation) { self.outlet = outlet }

  /// Has every message told to `observer` at once, with what became of it.
  package func observe(_ observer: @escaping @Sendable (MQTTMessage, Fate) -> Void) {
    observers.append(observer)
  }

  /// Somebody else publishes. The retain flag stays as published, which clients of MQTT 5 ask for.
  package func send(_ message: MQTTMessage) {
    if message.isRetained { retained[message.topic] = message.payload.isEmpty ? nil : message.payload }
    if passes(message.topic) { outlet.yield(.message(message)) }
  }

  /// Whether the client gets what is published on `topic`.
  package func passes(_ topic: String) -> Bool {
    isConnected && subscriptions.contains { Self.matches(topic, $0.filter) }
  }

  /// Somebody else publishes JSON.
  package func send(_ topic: String, _ text: String) {
    send(MQTTMessage(topic: topic, payload: Array(text.utf8)))
  }

  /// The broker goes away or comes back.
  package func setReachable(_ reachable: Bool) {
    isReachable = reachable
    if !reachable { breakConnection("the broker went away") }
  }

  /// The connection breaks; another one is taken.
  package func reset() { breakConnection("the connection was reset") }

  /// The client's machine is gone without a word.
  package func clientDied() {
    isConnected = false
    publishWill()
  }

  /// The broker forgets what it retained, and its clients (fault F68).
  package func forget() {
    retained.removeAll()
    breakConnection("the broker was started anew")
  }

  /// What becomes of messages from now on.
  package func setFate(_ fate: Fate) { self.fate = fate }

  /// Waits for the next message that `matches`, from now on or already there. An empty one comes where the waiting task
  /// is cancelled, as a test's is at its time limit: else it would never end.
  package func message(where matches: @escaping @Sendable (MQTTMessage) -> Bool) async -> MQTTMessage {
    if let known = published.first(where: matches) { return known }
    return await next(where: matches)
  }

  /// Waits for whatever is published next, or for the end of the task.
  package func nextMessage() async { _ = await next { _ in true } }

  private func next(where matches: @escaping @Sendable (MQTTMessage) -> Bool) async -> MQTTMessage {
    let (messages, outlet) = AsyncStream.makeStream(of: MQTTMessage.self)
    waiters.append((matches, outlet))
    for await message in messages { return message }
    return MQTTMessage(topic: "", payload: [])
  }

  private static func matches(_ topic: String, _ filter: String) -> Bool {
    if !filter.utf8.contains(UInt8(ascii: "+")), !filter.utf8.contains(UInt8(ascii: "#")) {
      return topic == filter
    }
    let topicLevels = topic.split(separator: "/", omittingEmptySubsequences: false)
    let filterLevels = filter.split(separator: "/", omittingEmptySubsequences: false)
    for (index, level) in filterLevels.enumerated() {
      if level == "#" { return true }
      guard index < topicLevels.count, level == "+" || level == topicLevels[index] else { return false }
    }
    return topicLevels.count == filterLevels.count
  }
}
