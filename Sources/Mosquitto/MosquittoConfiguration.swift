/// Where a broker is and who we are there.
package struct MosquittoConfiguration: Hashable, Sendable {
  package var host: String
  package var port: UInt16
  /// nil: no TLS.
  package var tls: TLSFiles?
  package var username: String?
  /// Never shown and never logged.
  package var password: [UInt8]?
  package var clientID: String
  /// A silent broker is given up after two of these at most. The library takes no less than 5 s.
  package var keepalive: Duration
  /// Bounds a whole attempt: name look-up, TCP, TLS and the broker's greeting (fault F63).
  package var connectTimeout: Duration
  /// When the broker forgets our subscriptions, and what arrives for them while we are away.
  package enum SessionEnd: Hashable, Sendable {
    /// A day after the last connection.
    case never
    /// At an end in order, or ten minutes after any other. Only MQTT 5 can say so: of older brokers, as
    /// `withConnection`.
    case withClient
    /// With every connection: a client for one errand leaves nothing behind.
    case withConnection
  }
  package var sessionEnd: SessionEnd

  package init(
    host: String, port: UInt16, tls: TLSFiles? = nil, username: String? = nil, password: [UInt8]? = nil,
    clientID: String, keepalive: Duration = .seconds(20), connectTimeout: Duration = .seconds(30),
    sessionEnd: SessionEnd = .never
  ) {
    self.host = host
    self.port = port
    self.tls = tls
    self.username = username
    self.password = password
    self.clientID = clientID
    self.keepalive = keepalive
    self.connectTimeout = connectTimeout
    self.sessionEnd = sessionEnd
  }
}

extension MosquittoConfiguration: CustomStringConvertible, CustomReflectable {
  package var description: String { "\(clientID) at \(host):\(port)" }

  /// Keeps the password out of dumps.
  package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
