import CMosquitto
import Dialects
import Glibc

// What numbers mean: reason codes of MQTT 5 (section 2.4), return codes of MQTT 3.1.1 (section 3.2.2.3) and result
// codes of libmosquitto.
extension BrokerFailure {
  /// How the library's `errno` says that TLS ended in the midst of something.
  static let protocolError = String(cString: strerror(EPROTO))

  /// Of the answer to a connection request; nil for success.
  init?(connectCode code: UInt8) {
    let text = Self.text(
      of: String(
        cString: code < 0x80 ? mosquitto_connack_string(Int32(code)) : mosquitto_reason_string(Int32(code))))
    switch code {
    case 0: return nil
    // 1 is 3.1.1, which a broker may also say to a client that speaks MQTT 5.
    case 1, 0x84: self = .unsupportedProtocol
    // Identifier, user or password, authorisation; banned, authentication method.
    case 2, 4, 5, 0x85, 0x86, 0x87, 0x8A, 0x8C: self = .notAuthorised(text)
    // Unavailable, busy, elsewhere, too many connections: passes by itself.
    case 3, 0x80, 0x88, 0x89, 0x9C, 0x9D, 0x9F: self = .unreachable(text)
    default: self = .refused(code, text)
    }
  }

  /// Of a publish or subscribe acknowledgement; nil for success, which has many codes.
  init?(acknowledgementCode code: UInt8) {
    if code < 0x80 { return nil }
    let text = Self.text(of: String(cString: mosquitto_reason_string(Int32(code))))
    switch code {
    case 0x87: self = .denied(text)
    case 0x95: self = .tooLarge
    default: self = .refused(code, text)
    }
  }

  /// Of the end of a connection: a reason code of the broker, or a result code of the library with its `errno`.
  init(disconnectCode code: Int32, number: Int32) {
    switch code {
    case 0x8E: self = .sessionTakenOver
    case 0x87: self = .notAuthorised(Self.text(of: String(cString: mosquitto_reason_string(code))))
    case 0x80...: self = .connectionLost(Self.text(of: String(cString: mosquitto_reason_string(code))))
    case 0: self = .closedByBroker
    // Whoever is put out while he speaks is told so by a reset.
    case Int32(MOSQ_ERR_ERRNO.rawValue) where [EPIPE, ECONNRESET].contains(number): self = .closedByBroker
    case Int32(MOSQ_ERR_ERRNO.rawValue): self = .connectionLost(String(cString: strerror(number)))
    case Int32(MOSQ_ERR_KEEPALIVE.rawValue): self = .connectionLost("no answer within the keep-alive time")
    default: self.init(libraryCode: code, number: number, detail: "")
    }
  }

  /// `number` is `errno` right after the call, which name look-up fills with its own numbers; `detail` what the
  /// library logged.
  init(libraryCode code: Int32, number: Int32, detail: String) {
    switch mosq_err_t(rawValue: code) {
    case MOSQ_ERR_EAI: self = .unreachable(String(cString: gai_strerror(number)))
    case MOSQ_ERR_ERRNO: self = .unreachable(String(cString: strerror(number)))
    case MOSQ_ERR_TLS, MOSQ_ERR_TLS_HANDSHAKE, MOSQ_ERR_OCSP:
      self = .insecure(
        detail.isEmpty ? Self.text(of: String(cString: mosquitto_strerror(code))) : Self.tlsCause(detail))
    case MOSQ_ERR_CONN_LOST: self = .closedByBroker
    case MOSQ_ERR_NO_CONN, MOSQ_ERR_CONN_REFUSED, MOSQ_ERR_KEEPALIVE, MOSQ_ERR_PROTOCOL,
      MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_NOMEM:
      self = .connectionLost(Self.text(of: String(cString: mosquitto_strerror(code))))
    case MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_PAYLOAD_SIZE: self = .tooLarge
    case MOSQ_ERR_QOS_NOT_SUPPORTED: self = .refused(0x9B, "QoS not supported")
    case MOSQ_ERR_RETAIN_NOT_SUPPORTED: self = .refused(0x9A, "retain not supported")
    default: self = .misuse(Self.text(of: String(cString: mosquitto_strerror(code))))
    }
  }

  /// The library's sentence as a part of ours: what ours says already, and the full stop, are left out.
  private static func text(of sentence: String) -> String {
    let beginning = "Connection Refused: "
    let rest = sentence.hasPrefix(beginning) ? sentence.dropFirst(beginning.count) : sentence[...]
    return String(rest.last == "." ? rest.dropLast() : rest)
  }
}
