import Dialects
import FleetModel

/// A broker in memory that does what a test wants of it: be away, refuse, stay silent, forget, hand on what others say.
actor ScriptedBroker: Broker {
  /// What becomes of a message.
  enum Verdict: Sendable {
    case accept
    case refuse(BrokerFailure)
    /// It arrives, but its acknowledgement never does.
    case lose
  }

  nonisolated let events: AsyncStream<BrokerEvent>
  private let emit: AsyncStream<BrokerEvent>.Continuation
  private let receiveMaximum: Int
  private var refusal: BrokerFailure?
  private var verdict: @Sendable (MQTTMessage) -> Verdict = { _ in .accept }
  private var subscriptions: [Subscription] = []
  private var deniedFilters: Set<String> = []
  private var subscriptionEnd: BrokerFailure?
  /// Waited for before each message is taken; nil: nothing is.
  private var pause: (@Sendable () async -> Void)?
  private var waiters:
    [(matches: @Sendable (MQTTMessage) -> Bool, continuation: CheckedContinuation<MQTTMessage, Never>)] = []
  private(set) var isConnected = false
  /// How long the last end of a connection could have taken.
  private(set) var farewellLimit: Duration?
  /// Attempts to connect: when, with which will, in which version.
  private(set) var attempts: [(will: MQTTMessage?, version: BrokerConnection.ProtocolVersion)] = []
  /// Everything that arrived, in order, with the token it came with.
  private(set) var arrived: [(message: MQTTMessage, token: UInt64)] = []
  private(set) var retained: [String: [UInt8]] = [:]

  private let maximumPacketSize: Int?

  /// A broker that refuses connections for the reason `refusal` until it is told otherwise; nil = takes them.
  init(receiveMaximum: Int = 20, maximumPacketSize: Int? = nil, refusal: BrokerFailure? = nil) {
    self.maximumPacketSize = maximumPacketSize
    self.refusal = refusal
    self.receiveMaximum = receiveMaximum
    (events, emit) = AsyncStream.makeStream()
  }

  // What the uplink calls.

  func connect(
    will: MQTTMessage?, protocolVersion: BrokerConnection.ProtocolVersion
  ) async throws(BrokerFailure) -> BrokerConnection {
    attempts.append((will, protocolVersion))
    if let refusal { throw refusal }
    isConnected = true
    subscriptions = []
    return BrokerConnection(
      protocolVersion: protocolVersion, isSessionPresent: false, receiveMaximum: receiveMaximum,
      maximumPacketSize: maximumPacketSize)
  }

  func subscribe(to new: [Subscription]) async throws(BrokerFailure) {
    guard isConnected else { throw .connectionLost("not connected") }
    if let subscriptionEnd {
      isConnected = false
      throw subscriptionEnd
    }
    if let denied = new.first(where: { deniedFilters.contains($0.filter) }) {
      throw .denied("Not authorized: \(denied.filter)")
    }
    subscriptions.removeAll { old in new.contains { $0.filter == old.filter } }
    subscriptions += new
    for subscription in new {
      for (topic, payload) in retained.sorted(by: { $0.key < $1.key })
      where Self.matches(topic, subscription.filter) {
        emit.yield(.message(MQTTMessage(topic: topic, payload: payload, isRetained: true)))
      }
    }
  }

  func unsubscribe(from filters: [String]) async throws(BrokerFailure) {
    subscriptions.removeAll { filters.contains($0.filter) }
  }

  func publish(_ messages: [(message: MQTTMessage, token: UInt64)]) async {
    for (message, token) in messages {
      await pause?()
      guard isConnected else {
        answer(message, token, .connectionLost("not connected"))
        continue
      }
      if let size = maximumPacketSize, message.topic.utf8.count + message.payload.count > size {
        answer(message, token, .tooLarge)
        continue
      }
      switch verdict(message) {
      case .accept:
        take(message, token)
        answer(message, token, nil)
      case .refuse(let failure): answer(message, token, failure)
      case .lose: take(message, token)
      }
    }
  }

  func disconnect(within limit: Duration) async {
    isConnected = false
    farewellLimit = limit
  }

  private func answer(_ message: MQTTMessage, _ token: UInt64, _ failure: BrokerFailure?) {
    guard message.qualityOfService != .atMostOnce || failure != nil else { return }
    emit.yield(.acknowledged([Acknowledgement(token: token, failure: failure)]))
  }

  private func take(_ message: MQTTMessage, _ token: UInt64) {
    arrived.append((message, token))
    spread(message, isOwn: true)
    let served = waiters.filter { $0.matches(message) }
    waiters.removeAll { $0.matches(message) }
    for waiter in served { waiter.continuation.resume(returning: message) }
  }

  private func spread(_ message: MQTTMessage, isOwn: Bool) {
    if message.isRetained { retained[message.topic] = message.payload.isEmpty ? nil : message.payload }
    guard isConnected else { return }
    let isHeard = subscriptions.contains {
      Self.matches(message.topic, $0.filter) && !(isOwn && $0.isNoLocal)
    }
    if isHeard { emit.yield(.message(message)) }
  }

  // What the test says.

  /// Refuses connections for this reason from now on; nil = takes them.
  func refuseConnections(because failure: BrokerFailure?) { refusal = failure }

  /// Does not grant these from now on.
  func refuseSubscriptions(to filters: Set<String>) { deniedFilters = filters }

  /// Ends connections that subscribe, from now on; nil = does not.
  func endSubscribers(because failure: BrokerFailure?) { subscriptionEnd = failure }

  /// Decides about messages from now on.
  func judge(_ verdict: @escaping @Sendable (MQTTMessage) -> Verdict) { self.verdict = verdict }

  /// Takes its time for each message from now on.
  func pause(_ pause: @escaping @Sendable () async -> Void) { self.pause = pause }

  /// Acknowledges everything that arrived on a topic, whether or not it did so before.
  func acknowledgeAll(on topic: String) {
    for (message, token) in arrived where message.topic == topic { acknowledge(token) }
  }

  /// Ends the connection.
  func drop(because failure: BrokerFailure = .connectionLost("the broker went away")) {
    guard isConnected else { return }
    isConnected = false
    emit.yield(.disconnected(failure))
  }

  /// Loses what it had kept.
  func forget() { retained = [:] }

  /// Somebody else publishes.
  func send(
    _ topic: String, _ payload: String, isRetained: Bool = false,
    change: @Sendable (inout MQTTMessage) -> Void = { _ in }
  ) {
    var message = MQTTMessage(topic: topic, payload: Array(payload.utf8), isRetained: isRetained)
    change(&message)
    spread(message, isOwn: false)
  }

  /// Acknowledges a token that nobody asked about.
  func acknowledge(_ token: UInt64) {
    emit.yield(.acknowledged([Acknowledgement(token: token, failure: nil)]))
  }

  /// Waits for a message that `matches`, from now on or already there.
  func message(where matches: @escaping @Sendable (MQTTMessage) -> Bool) async -> MQTTMessage {
    if let known = arrived.first(where: { matches($0.message) }) { return known.message }
    return await withCheckedContinuation { waiters.append((matches, $0)) }
  }

  /// Payloads that arrived on a topic, as text.
  func payloads(on topic: String) -> [String] {
    arrived.filter { $0.message.topic == topic }.map { String(decoding: $0.message.payload, as: UTF8.self) }
  }

  private static func matches(_ topic: String, _ filter: String) -> Bool {
    let topicLevels = topic.split(separator: "/", omittingEmptySubsequences: false)
    var filterLevels = filter.split(separator: "/", omittingEmptySubsequences: false)
    if filterLevels.last == "#" {
      filterLevels.removeLast()
      guard topicLevels.count >= filterLevels.count else { return false }
    } else {
      guard topicLevels.count == filterLevels.count else { return false }
    }
    return zip(topicLevels, filterLevels).allSatisfy { $1 == "+" || $0 == $1 }
  }
}
