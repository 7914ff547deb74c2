import CMosquitto
import COpenSSL
import Dialects
import EventLoops
import FleetModel
import Glibc

/// A client of libmosquitto, good for one connection and gone with it, socket included. Belongs to one thread at a
/// time: the one that dials, then the loop.
final class MosquittoClient {
  private let client: OpaquePointer
  let inbox = ClientInbox()
  let protocolVersion: BrokerConnection.ProtocolVersion
  private let sessionEnd: MosquittoConfiguration.SessionEnd

  /// The library has to be told once that it is used.
  private static let isLibraryReady: Bool = mosquitto_lib_init() == 0

  /// Looks the host's name up, connects and sends the request for a connection. Blocks, possibly for minutes.
  init(
    dialling configuration: MosquittoConfiguration, will: MQTTMessage?,
    protocolVersion: BrokerConnection.ProtocolVersion
  ) throws(BrokerFailure) {
    let canExpire = protocolVersion == .mqtt5
    sessionEnd =
      canExpire || configuration.sessionEnd != .withClient ? configuration.sessionEnd : .withConnection
    guard Self.isLibraryReady,
      let client = mosquitto_new(configuration.clientID, sessionEnd == .withConnection, nil)
    else {
      throw .misuse("the client id \(configuration.clientID) cannot be used")
    }
    self.client = client
    self.protocolVersion = protocolVersion
    ClientCallbacks.install(on: client, inbox: inbox)
    try identify(configuration)
    if let tls = configuration.tls { try secure(tls) }
    if let will { try setWill(will) }
    try dial(configuration)
  }

  deinit { mosquitto_destroy(client) }

  /// -1 when there is none any more.
  var socket: Int32 { mosquitto_socket(client) }

  var wantsToWrite: Bool { mosquitto_want_write(client) }

  /// When the certificate that the broker showed expires; nil without TLS.
  var peerCertificateExpires: Timestamp? {
    guard let connection = mosquitto_ssl_get(client) else { return nil }
    let seconds = copenssl_peer_expiry(connection)
    return seconds == 0 ? nil : Timestamp(milliseconds: seconds * 1_000)
  }

  /// Bytes that the other end's computer has not confirmed yet.
  var bytesOnTheWay: Int {
    var count: Int32 = 0
    return ioctl(socket, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
  }

  // Result codes of these are those of the library; 0 is success.

  func read() -> Int32 { mosquitto_loop_read(client, 1) }

  func write() -> Int32 { mosquitto_loop_write(client, 1) }

  /// Keeps the connection alive; to be called about once a second.
  func tick() -> Int32 { mosquitto_loop_misc(client) }

  /// Sends DISCONNECT behind everything that waits to be written; the broker then drops the will.
  func disconnect() -> Int32 {
    guard sessionEnd == .withClient else { return mosquitto_disconnect(client) }
    var properties = PropertyList()
    // Without it the broker forgets us later, and no less.
    try? properties.add(UInt32.zero, as: MQTT_PROP_SESSION_EXPIRY_INTERVAL)
    return mosquitto_disconnect_v5(client, 0, properties.head)
  }

  /// Hands a message over; returns the id that its acknowledgement will carry.
  func publish(_ message: MQTTMessage) throws(BrokerFailure) -> Int32 {
    if message.topic.hasNUL { throw Self.unusable(message.topic) }
    let properties =
      protocolVersion == .mqtt5 ? try PropertyList(message.properties) : PropertyList()
    guard let length = Int32(exactly: message.payload.count) else { throw .tooLarge }
    var id: Int32 = 0
    let code = mosquitto_publish_v5(
      client, &id, message.topic, length, message.payload, Int32(message.qualityOfService.rawValue),
      message.isRetained, properties.head)
    if [MOSQ_ERR_INVAL, MOSQ_ERR_MALFORMED_UTF8].contains(mosq_err_t(rawValue: code)) {
      throw Self.unusable(message.topic)
    }
    try check(code)
    return id
  }

  /// What is published in here leaves in few large segments, since each wakes the broker, and without the line of log
  /// that the library writes for every message as long as anybody listens.
  func together(_ publish: () -> Void) {
    ClientCallbacks.listenToLog(of: client, false)
    setCork(true)
    publish()
    setCork(false)
    ClientCallbacks.listenToLog(of: client, true)
  }

  private func setCork(_ isOn: Bool) {
    var value: Int32 = isOn ? 1 : 0
    setsockopt(
      socket, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Returns the id of the answer.
  func subscribe(to subscription: Subscription) throws(BrokerFailure) -> Int32 {
    if subscription.filter.hasNUL { throw .misuse("a NUL in a topic filter") }
    // What is published with the retain flag then arrives with it, also when it is not old.
    var options = MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue
    if subscription.isNoLocal { options |= MQTT_SUB_OPT_NO_LOCAL.rawValue }
    var id: Int32 = 0
    let code = mosquitto_subscribe_v5(
      client, &id, subscription.filter, Int32(subscription.qualityOfService.rawValue),
      protocolVersion == .mqtt5 ? Int32(options) : 0, nil)
    try check(code)
    return id
  }

  /// Returns the id of the answer.
  func unsubscribe(from filter: String) throws(BrokerFailure) -> Int32 {
    if filter.hasNUL { throw .misuse("a NUL in a topic filter") }
    var id: Int32 = 0
    try check(mosquitto_unsubscribe(client, &id, filter))
    return id
  }

  private static func check(topic: String) throws(BrokerFailure) {
    if topic.hasNUL || mosquitto_pub_topic_check(topic) != 0 { throw unusable(topic) }
  }

  private static func unusable(_ topic: String) -> BrokerFailure {
    .misuse("\(PrintableText.quoted(topic)) is not a topic name")
  }

  private func check(_ code: Int32) throws(BrokerFailure) {
    let number = errno
    if code != 0 { throw BrokerFailure(libraryCode: code, number: number, detail: inbox.lastError) }
  }
}

// Before there is a connection.
extension MosquittoClient {
  private func identify(_ configuration: MosquittoConfiguration) throws(BrokerFailure) {
    let version = protocolVersion == .mqtt5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311
    try check(mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, version))
    try check(mosquitto_int_option(client, MOSQ_OPT_RECEIVE_MAXIMUM, Int32(BrokerLimits.receiveMaximum)))
    // The publisher keeps a window of its own; a second one here would only hide messages.
    try check(mosquitto_int_option(client, MOSQ_OPT_SEND_MAXIMUM, Int32(UInt16.max)))
    try check(mosquitto_int_option(client, MOSQ_OPT_TCP_NODELAY, 1))
    guard let username = configuration.username else { return }
    if username.hasNUL || configuration.password?.contains(0) == true {
      throw .misuse("a NUL in user or password")
    }
    let password = configuration.password.map { $0.map { CChar(bitPattern: $0) } + [0] }
    try check(mosquitto_username_pw_set(client, username, password))
  }

  private func secure(_ tls: TLSFiles) throws(BrokerFailure) {
    for file in [tls.authorities, tls.certificate, tls.key] {
      if let file, access(file, R_OK) != 0 {
        let code = errno
        throw .insecure(
          PathFailure.text(
            file, "read", reason: SystemError.reason(code), deniedTo: SystemError.user(deniedBy: code)))
      }
    }
    let directory = tls.authorities == nil ? TLSFiles.systemAuthorities : nil
    let code = mosquitto_tls_set(client, tls.authorities, directory, tls.certificate, tls.key, nil)
    if code != 0 {
      throw .insecure(
        "the client certificate and its key do not match: \(String(cString: mosquitto_strerror(code)))")
    }
  }

  private func setWill(_ will: MQTTMessage) throws(BrokerFailure) {
    try Self.check(topic: will.topic)
    let properties = protocolVersion == .mqtt5 ? try PropertyList(will.properties) : PropertyList()
    guard let length = Int32(exactly: will.payload.count) else { throw .tooLarge }
    let list = properties.release()
    let code = mosquitto_will_set_v5(
      client, will.topic, length, will.payload, Int32(will.qualityOfService.rawValue), will.isRetained, list)
    if code != 0 {
      // Only on success the list became the library's.
      var list = list
      mosquitto_property_free_all(&list)
    }
    try check(code)
  }

  private func dial(_ configuration: MosquittoConfiguration) throws(BrokerFailure) {
    if configuration.host.hasNUL { throw .misuse("a NUL in the broker's name") }
    var properties = PropertyList()
    if protocolVersion == .mqtt5 {
      switch sessionEnd {
      case .never: try properties.add(BrokerLimits.gatewaySession, as: MQTT_PROP_SESSION_EXPIRY_INTERVAL)
      case .withClient: try properties.add(BrokerLimits.clientSession, as: MQTT_PROP_SESSION_EXPIRY_INTERVAL)
      case .withConnection: break
      }
      try properties.add(BrokerLimits.largestPacket, as: MQTT_PROP_MAXIMUM_PACKET_SIZE)
    }
    let keepalive = Int32(min(max(configuration.keepalive.components.seconds, 5), 65_535))
    try check(
      mosquitto_connect_bind_v5(
        client, configuration.host, Int32(configuration.port), keepalive, nil, properties.head))
  }
}
