/// Files for TLS; all nil = the system's authorities.
public struct TLSConfiguration: Hashable, Sendable {
  public var authority, certificate, key: String?

  /// Names the files.
  public init(authority: String? = nil, certificate: String? = nil, key: String? = nil) {
    self.authority = authority
    self.certificate = certificate
    self.key = key
  }
}

/// As the key `mqtt.tls` says it.
extension TLSConfiguration {
  /// Reads a checked value: files, or `true`; nil for `false`.
  init?(document: JSONValue) {
    guard document != false else { return nil }
    let files = document.object ?? [:]
    self.init(
      authority: files["ca"]?.string, certificate: files["certificate"]?.string, key: files["key"]?.string)
  }

  /// Its value.
  var document: JSONValue {
    var files = JSONObject()
    files["ca"] = authority.map { .string($0) }
    files["certificate"] = certificate.map { .string($0) }
    files["key"] = key.map { .string($0) }
    return files.isEmpty ? true : .object(files)
  }
}
