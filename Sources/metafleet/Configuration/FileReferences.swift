import FleetModel

/// Where files named in the configuration are, and whether they can be used.
struct FileReferences: Sendable {
  /// What a look at a file shows.
  enum Finding: Sendable {
    case missing
    /// Why, in a sentence.
    case unreadable(String)
    case directory
    /// Readable; `isWorldReadable` also by everybody else.
    case readable(isWorldReadable: Bool)
  }

  /// Directory of the configuration file, absolute: relative names start there.
  let directory: String
  /// `$CREDENTIALS_DIRECTORY`, which systemd sets for a unit with credentials.
  let credentials: String?
  /// Looks at a file.
  let inspect: @Sendable (String) -> Finding
  /// What a file holds; nil where nobody looks, or that cannot be read twice.
  var read: @Sendable (String) -> [UInt8]? = { _ in nil }

  private static let credentialPrefix = "credential:"

  /// The absolute path of a file as it is named in the configuration.
  func resolve(_ name: String) throws(Refusal) -> String {
    if name.hasPrefix(Self.credentialPrefix) {
      let credential = name.dropFirst(Self.credentialPrefix.count)
      guard !credential.isEmpty, !credential.contains("/"), credential != "..", credential != "." else {
        throw Refusal("a credential has a plain name, without slashes")
      }
      guard let credentials, !credentials.isEmpty else {
        throw Refusal(
          "CREDENTIALS_DIRECTORY is not set; systemd sets it for units with LoadCredential=")
      }
      return "\(credentials)/\(credential)"
    }
    return name.hasPrefix("/") ? name : "\(directory)/\(name)"
  }

  /// Says what keeps a file from being used. The content is never shown.
  func check(_ path: String, isSecret: Bool) throws(Refusal) {
    switch inspect(path) {
    case .missing: throw Refusal("\(path) does not exist")
    case .unreadable(let sentence): throw Refusal(sentence)
    case .directory: throw Refusal("\(path) is a directory")
    case .readable(isWorldReadable: true) where isSecret:
      throw Refusal("\(path) is world-readable; run: chmod o-rwx \(path)")
    case .readable: break
    }
  }
}

extension FileReferences {
  /// The absolute path of a file that must be there and, where it holds a secret, be kept from everybody else (fault
  /// F101).
  func file(_ name: String, isSecret: Bool) throws(Refusal) -> String {
    let path = try resolve(name)
    try check(path, isSecret: isSecret)
    return path
  }

  /// The same of what the file is to hold, as far as that can be seen.
  func file(_ name: String, isSecret: Bool, as kind: CredentialKind?) throws(Refusal) -> String {
    let path = try file(name, isSecret: isSecret)
    if let kind, let content = read(path) { try kind.check(content, in: path) }
    return path
  }

  /// The absolute path of a directory, which is made when it is needed.
  func directory(_ name: String) throws(Refusal) -> String {
    guard !name.hasPrefix(Self.credentialPrefix) else { throw Refusal() }
    return try resolve(name)
  }
}
