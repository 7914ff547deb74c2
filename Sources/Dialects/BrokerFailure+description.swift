extension BrokerFailure: CustomStringConvertible {
  /// One sentence for a person.
  package var description: String {
    switch self {
    case .unreachable(let text): "the broker cannot be reached: \(text)"
    case .insecure(let text): "TLS failed: \(text)"
    case .unusableSecret(let text): text
    case .notAuthorised(let text):
      "the broker refused the connection: \(text); check mqtt.username, mqtt.password_file and the broker's access rules"
    case .denied(let text):
      "the broker does not permit this topic: \(text); its access rules must grant it to mqtt.username"
    case .unsupportedProtocol: "the broker does not support this MQTT version; set mqtt.protocol"
    case .sessionTakenOver:
      "another client connected with the same client id; give each gateway its own mqtt.client_id"
    case .connectionLost(let text): "the connection was lost: \(text)"
    case .refused(let code, let text): "the broker refused (0x\(String(code, radix: 16))): \(text)"
    case .tooLarge: "the message is larger than the broker's maximum packet size"
    case .misuse(let text): "internal MQTT error: \(text); please report it"
    }
  }
}
