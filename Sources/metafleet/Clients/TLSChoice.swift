import FleetModel

/// What somebody says of TLS; a file of it says that it is wanted.
struct TLSChoice: Hashable, Sendable {
  /// nil where nothing is said.
  var isWanted: Bool?
  var authority: String?
  var certificate: String?
  var key: String?

  private var hasFiles: Bool { authority != nil || certificate != nil || key != nil }

  /// This choice, and where it says nothing that of `other`.
  func or(_ other: TLSChoice) -> TLSChoice {
    // Who names files wants TLS, whatever is said behind him.
    let isWanted = isWanted ?? (hasFiles ? true : other.isWanted)
    return TLSChoice(
      isWanted: isWanted, authority: authority ?? other.authority,
      certificate: certificate ?? other.certificate, key: key ?? other.key)
  }

  /// TLS of the file with this laid over it; nil = none.
  func laid(over file: TLSConfiguration?) -> TLSConfiguration? {
    guard isWanted ?? (hasFiles || file != nil) else { return nil }
    return TLSConfiguration(
      authority: authority ?? file?.authority, certificate: certificate ?? file?.certificate,
      key: key ?? file?.key)
  }
}

extension TLSConfiguration {
  /// The same with the paths of files that can be used; else why not.
  func resolved(_ files: FileReferences) throws(Refusal) -> TLSConfiguration {
    guard (certificate == nil) == (key == nil) else {
      throw Refusal("a client certificate needs both --cert and --key")
    }
    func path(_ file: String?, isSecret: Bool = false) throws(Refusal) -> String? {
      guard let file else { return nil }
      return try files.file(file, isSecret: isSecret)
    }
    return TLSConfiguration(
      authority: try path(authority), certificate: try path(certificate), key: try path(key, isSecret: true))
  }
}
