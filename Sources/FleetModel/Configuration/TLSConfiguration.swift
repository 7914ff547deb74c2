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
