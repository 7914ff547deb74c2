import Dialects

extension BrokerFailure {
  /// One sentence for a person.
  var words: String {
    switch self {
    case .unreachable(let text): "the broker cannot be reached: \(text)"
    case .insecure(let text): "TLS failed: \(text)"
    case .notAuthorised(let text): "the broker refused us: \(text); check user, password and access rules"
    case .unsupportedProtocol: "the broker does not speak this MQTT version"
    case .sessionTakenOver: "another client connected under our client id; give each gateway its own"
    case .connectionLost(let text): "the connection was lost: \(text)"
    case .refused(let code, let text): "the broker refused (0x\(String(code, radix: 16))): \(text)"
    case .tooLarge: "the message is larger than the broker takes"
    case .misuse(let text): "the MQTT library was used wrongly: \(text)"
    }
  }
}
