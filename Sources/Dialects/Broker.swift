package import FleetModel

/// Why the broker does not have what we gave it, or does not have us.
package enum BrokerFailure: Error, Hashable, Sendable {
  /// Nobody listens there, the name is unknown, or the network is gone.
  case unreachable(String)
  /// TLS could not be set up.
  case insecure(String)
  /// What we would show the broker cannot be used: a password, say. Why, in a sentence.
  case unusableSecret(String)
  /// The broker refused user, password or client identifier.
  case notAuthorised(String)
  /// The broker's access rules do not grant this message or subscription.
  case denied(String)
  /// The broker does not speak this protocol version.
  case unsupportedProtocol
  /// Another client took our identifier.
  case sessionTakenOver
  /// The connection ended.
  case connectionLost(String)
  /// The broker refused this message or subscription, with its reason code.
  case refused(UInt8, String)
  /// The message is larger than the broker takes.
  case tooLarge
  /// A fault in how we use the library.
  case misuse(String)
}

extension BrokerFailure {
  /// The broker ended the connection without saying why.
  package static let closedByBroker = connectionLost("the broker closed it")
  /// We ended it.
  package static let closedOnRequest = connectionLost("closed on request")
  /// Whether it is about one request only, and the connection goes on.
  package var isOfOneRequest: Bool {
    switch self {
    case .denied, .refused, .tooLarge: true
    default: false
    }
  }

  /// We ended it because another one was wanted.
  package static let replaced = connectionLost("replaced by a new connection")
}

/// What a connection offers.
package struct BrokerConnection: Hashable, Sendable {
  package enum ProtocolVersion: String, Sendable {
    case mqtt5 = "5"
    case mqtt311 = "3.1.1"
  }

  package var protocolVersion: ProtocolVersion
  /// Whether the broker kept our session and its subscriptions.
  package var isSessionPresent: Bool
  /// How many QoS 1 messages may be unacknowledged at once.
  package var receiveMaximum: Int
  /// Largest packet the broker takes, in bytes; nil = no limit stated.
  package var maximumPacketSize: Int?
  /// When the certificate that the broker showed expires; nil without TLS.
  package var certificateExpires: Timestamp?

  package init(
    protocolVersion: ProtocolVersion, isSessionPresent: Bool, receiveMaximum: Int, maximumPacketSize: Int?
  ) {
    self.protocolVersion = protocolVersion
    self.isSessionPresent = isSessionPresent
    self.receiveMaximum = receiveMaximum
    self.maximumPacketSize = maximumPacketSize
  }
}

/// What a broker tells us.
package enum BrokerEvent: Sendable {
  /// A message to one of our subscriptions.
  case message(MQTTMessage)
  /// The broker has QoS 1 messages of ours, or will not have them.
  case acknowledged([Acknowledgement])
  /// The connection ended; nothing more comes until the next `connect`.
  case disconnected(BrokerFailure)
}

/// What became of a message of ours.
package struct Acknowledgement: Hashable, Sendable {
  /// The publisher's own number.
  package let token: UInt64
  /// Nil when the broker has it.
  package let failure: BrokerFailure?

  package init(token: UInt64, failure: BrokerFailure? = nil) {
    self.token = token
    self.failure = failure
  }
}

/// What to subscribe to.
package struct Subscription: Hashable, Sendable {
  package var filter: String
  package var qualityOfService: MQTTMessage.QualityOfService
  /// MQTT 5: do not send us our own messages.
  package var isNoLocal: Bool

  package init(
    _ filter: String, qualityOfService: MQTTMessage.QualityOfService = .atLeastOnce, isNoLocal: Bool = false
  ) {
    self.filter = filter
    self.qualityOfService = qualityOfService
    self.isNoLocal = isNoLocal
  }
}

/// An MQTT broker as an uplink needs it. When and how often to connect is the uplink's decision.
package protocol Broker: Sendable {
  /// What happens, in order. One consumer; bounded by the window of unacknowledged messages and the subscriptions'
  /// traffic.
  nonisolated var events: AsyncStream<BrokerEvent> { get }

  /// Opens a new connection with this will, replacing any old one, in one attempt bounded by the configured
  /// connect time-out. Cancelling abandons it.
  func connect(
    will: MQTTMessage?, protocolVersion: BrokerConnection.ProtocolVersion
  ) async throws(BrokerFailure) -> BrokerConnection

  /// Subscribes; returns when the broker agreed to all.
  func subscribe(to subscriptions: [Subscription]) async throws(BrokerFailure)

  /// Takes back subscriptions.
  func unsubscribe(from filters: [String]) async throws(BrokerFailure)

  /// Hands messages to the connection in order. QoS 0 is done with that; of each QoS 1 message an `acknowledged`
  /// event with its token tells. Messages handed over while there is no connection are acknowledged with a failure.
  func publish(_ messages: [(message: MQTTMessage, token: UInt64)]) async

  /// Ends the connection properly, so that the will is not sent; waits until written messages have left, at most
  /// `limit`.
  func disconnect(within limit: Duration) async
}
