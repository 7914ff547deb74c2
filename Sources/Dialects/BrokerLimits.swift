/// What bounds a connection with the broker: every time and size in one place. What people may choose are
/// `mqtt.keepalive` and `mqtt.connect_timeout`.
package enum BrokerLimits {
  // Trying again.

  /// Before the second attempt; doubled by each that fails, up to the longest.
  package static let firstRetryDelay = Duration.seconds(1)
  package static let longestRetryDelay = Duration.seconds(60)
  /// A connection has worked that was subscribed and acknowledged for so long: only then the next wait is a short one.
  package static let proof = Duration.seconds(60)
  /// So many connections in a row that the broker ended without a word, none of which had worked, are taken for the
  /// work of another client of our name: mosquitto 2.0 does not say who took a session over.
  package static let endsOfTakeover = 3
  /// Before a name that another client has taken is claimed again: no ping-pong.
  package static let takeoverPause = Duration.seconds(60)
  /// For a handshake of our own behind one that failed.
  package static let examination = Duration.seconds(5)
  /// For what is under way when a connection is made anew by our own wish.
  package static let renewalTime = Duration.seconds(5)

  // Being there.

  /// A birth that does not come back is published again after this, then ever later.
  package static let birthTimeout = Duration.seconds(5)
  package static let longestBirthTimeout = Duration.seconds(300)
  /// Longer than a broker takes to notice that a client is gone.
  package static let formerNamePause = Duration.seconds(60)
  /// Between two looks at what the broker retains, where it is too old to let us hear others without ourselves.
  package static let lookPause = Duration.seconds(300)
  /// How long retained messages may take to come behind the agreement to a subscription: plenty on any line that works.
  package static let retainedTime = Duration.seconds(1)

  // Messages.

  /// QoS 1 messages that may be under way at once (MQTT contract 9).
  package static let window = 100
  /// QoS 1 messages that the broker may have under way to us.
  package static let receiveMaximum: UInt16 = 100
  /// The largest packet we take: ten times the largest document there is, in bytes.
  package static let largestPacket: UInt32 = 1 << 20
  /// What a slow consumer of ours may leave unread before nothing more is read from the socket, in bytes.
  package static let unreadBytes = 4 << 20
  /// What a socket that takes nothing more may pile up, in bytes; live samples beyond are dropped.
  package static let unwrittenBytes = 256 << 10
  /// A broker that has all we sent and acknowledges nothing for so long takes none of it.
  package static let acknowledgementTime = Duration.seconds(60)
  /// Bytes that a line which is not slow has on its way at most; beyond, acknowledgements are not missed yet.
  package static let bytesOnTheWay = 64 << 10

  // Sessions.

  /// Seconds a broker keeps the session of a gateway (MQTT API, section 4), and of a client that comes back or ends.
  package static let gatewaySession: UInt32 = 24 * 3600
  package static let clientSession: UInt32 = 600
}
