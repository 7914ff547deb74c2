import Dialects

extension BrokerFailure {
  /// Whether a handshake of our own may say more of an attempt that failed: TLS that came to nothing, or, without TLS,
  /// a port that ended the connection when it heard us.
  func mayBeExplained(withTLS isSecure: Bool) -> Bool {
    switch self {
    case .insecure: isSecure
    // What libmosquitto says where the broker ends the connection while it speaks of TLS.
    case .unreachable(let reason): isSecure && reason == Self.protocolError
    case .connectionLost: self != .closedOnRequest && self != .replaced
    default: false
    }
  }

  /// What a TLS error means for the operator, from the line that the library logged: OpenSSL's words, or its own where
  /// the name in the certificate is another. Pure.
  static func tlsCause(_ detail: String) -> String {
    let text = detail.lowercased()
    for (parts, cause) in causes where parts.contains(where: { text.contains($0) }) { return cause }
    // "OpenSSL Error[0]: error:0A000086:SSL routines::…": the words are behind the last colon.
    let words = detail.split(separator: ":").last?.drop { $0 == " " }
    return words.map(String.init) ?? detail
  }

  /// By what the line contains, in lower case; the first that fits.
  private static let causes: [(parts: [String], cause: String)] = [
    (
      ["host name verification"],
      "the broker's certificate is for another host name; set mqtt.host to the name in the certificate"
    ),
    (
      ["certificate verify failed", "unable to get local issuer"],
      "the broker's certificate is not trusted: its authority is not one of mqtt.tls.ca, or it has expired"
    ),
    (
      ["unexpected eof", "wrong version number", "packet length too long", "http request"],
      "the broker does not speak TLS on this port; the usual port for TLS is 8883"
    ),
    (
      ["certificate required", "bad certificate", "peer did not return a certificate"],
      "the broker requires a client certificate; set mqtt.tls.certificate and mqtt.tls.key"
    ),
    (["unsupported protocol", "protocol version"], "the broker offers no TLS version from 1.2 on"),
  ]
}
