import FleetModel

/// What a file of the section `mqtt` is to hold, and whether it does (fault F253). What is certainly something else is
/// refused with what to do about it. Pure.
enum CredentialKind: Sendable, CaseIterable {
  case password, authority, certificate, key

  var isSecret: Bool { self == .password || self == .key }

  /// What the file that a key of the configuration names is to hold; nil for other keys.
  init?(key path: String) {
    switch path {
    case "mqtt.password_file": self = .password
    case "mqtt.tls.ca": self = .authority
    case "mqtt.tls.certificate": self = .certificate
    case "mqtt.tls.key": self = .key
    default: return nil
    }
  }

  /// What the file says, judged; `place` is where it lies.
  func check(_ content: [UInt8], in place: String) throws(Refusal) {
    guard self != .password else {
      _ = try SecretText.firstLine(of: content, in: place)
      return
    }
    if content.allSatisfy({ $0 <= 0x20 }) { throw Refusal("\(place) is empty; it must hold \(words)") }
    if content.starts(with: ByteOrderMark.bytes) {
      throw Refusal(
        "\(place) begins with a byte order mark, which OpenSSL does not read; take it away: sed -i '1s/^\\xEF\\xBB\\xBF//' \(place)"
      )
    }
    guard !content.starts(with: [0x30, 0x82]), !content.contains(0) else {
      throw Refusal("\(place) is no PEM text but binary data; \(Self.conversion(of: self, in: place))")
    }
    let labels = Self.labels(in: content)
    guard !labels.isEmpty else {
      throw Refusal("\(place) holds no PEM text; it must hold \(words), between lines with BEGIN and END")
    }
    try check(labels, content, in: place)
  }

  private func check(_ labels: [String], _ content: [UInt8], in place: String) throws(Refusal) {
    switch self {
    case .password: break
    case .authority, .certificate:
      guard !labels.contains(where: { $0.hasSuffix("CERTIFICATE") }) else { return }
      throw Refusal("\(place) holds \(Self.article(labels[0])), not \(words)")
    case .key:
      if labels.contains("ENCRYPTED PRIVATE KEY") || Self.isEncrypted(content) {
        throw Refusal(
          "the key in \(place) is encrypted, and nobody is there to type its password; openssl pkey -in \(place) -out NEW "
            + "writes it without one")
      }
      guard !labels.contains(where: { $0.hasSuffix("PRIVATE KEY") }) else { return }
      throw Refusal("\(place) holds \(Self.article(labels[0])), not \(words)")
    }
  }

  private var words: String {
    switch self {
    case .password: "a password"
    case .authority: "certificates of authorities as PEM text"
    case .certificate: "a certificate as PEM text"
    case .key: "a private key as PEM text"
    }
  }

  /// As OpenSSL wrote encrypted keys before version 1.0.
  private static func isEncrypted(_ content: [UInt8]) -> Bool {
    String(decoding: content.prefix(4_096), as: UTF8.self).contains("Proc-Type: 4,ENCRYPTED")
  }

  /// How what is binary becomes text.
  private static func conversion(of kind: CredentialKind, in place: String) -> String {
    kind == .key
      ? "openssl pkey -in \(place) -out NEW makes PEM text of a key"
      : "openssl x509 -in \(place) -out NEW makes PEM text of a certificate"
  }

  private static func article(_ label: String) -> String {
    let words = label.lowercased()
    return words.first.map { "aeiou".contains($0) } == true ? "an \(words)" : "a \(words)"
  }

  /// What stands between `-----BEGIN ` and `-----`, in order.
  private static func labels(in content: [UInt8]) -> [String] {
    let beginning = "-----BEGIN "
    return content.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.compactMap { line in
      let text = String(decoding: line.prefix(80), as: UTF8.self)
      guard text.hasPrefix(beginning) else { return nil }
      let label = text.dropFirst(beginning.count).prefix { $0 != "-" }
      return label.isEmpty ? nil : PrintableText.escaped(String(label))
    }
  }
}
