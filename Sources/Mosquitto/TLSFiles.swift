import COpenSSL

/// PEM files for TLS. They are read anew for every connection, so that a changed file counts from the next one on.
/// The broker's host name is always verified.
package struct TLSFiles: Hashable, Sendable {
  /// Authorities to trust; nil for those of the system.
  package var authorities: String?
  /// Our own certificate and its key, where the broker asks for one.
  package var certificate: String?
  package var key: String?

  package init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) {
    self.authorities = authorities
    self.certificate = certificate
    self.key = key
  }

  /// Whether OpenSSL takes the certificate and the key as a pair; true where there are none.
  package var areMatching: Bool {
    guard let certificate, let key else { return certificate == nil && key == nil }
    return copenssl_is_pair(certificate, key) == 1
  }

  /// Where Linux distributions keep the system's authorities under their hashes.
  static let systemAuthorities = "/etc/ssl/certs"
}
