import FleetModel

/// Where files named in the configuration are, and whether they can be used.
struct FileReferences: Sendable {
  /// What a look at a file shows.
  enum Finding: Sendable {
    case missing
    case unreadable
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
    case .unreadable: throw Refusal("\(path) is not readable for this user; change its owner or mode")
    case .directory: throw Refusal("\(path) is a directory")
    case .readable(isWorldReadable: true) where isSecret:
      throw Refusal("\(path) is readable for everybody; run: chmod o-rwx \(path)")
    case .readable: break
    }
  }
}

extension ValueForm<String> {
  /// A file that must be there: an authority, a certificate.
  static let file = file("a readable file", isSecret: false)
  /// A file with a secret: nobody else may read it (fault F101).
  static let secretFile = file("a file that only its owner and group can read", isSecret: true)

  private static func file(_ words: String, isSecret: Bool) -> ValueForm {
    ValueForm(shape: .value(words: words, schema: ["type": "string", "minLength": 1])) {
      node, path, reading in
      guard let name = node.text, !name.isEmpty else {
        reading.error(path, node.position, "\(path) must name a file, not \(node.described)")
        return nil
      }
      do throws(Refusal) {
        let resolved = try reading.files.resolve(name)
        try reading.files.check(resolved, isSecret: isSecret)
        return resolved
      } catch {
        reading.error(path, node.position, "\(path) must be \(words); \(error.hint ?? "")")
        return nil
      }
    } write: {
      $0
    }
  }

  /// A directory, absolute or relative to the configuration file; made when it is needed.
  static let directory = ValueForm(
    shape: .value(words: "a directory", schema: ["type": "string", "minLength": 1])
  ) {
    node, path, reading in
    guard let name = node.text, !name.isEmpty, !name.hasPrefix("credential:"),
      let resolved = try? reading.files.resolve(name)
    else {
      reading.error(path, node.position, "\(path) must name a directory, not \(node.described)")
      return nil
    }
    return resolved
  } write: {
    $0
  }
}
