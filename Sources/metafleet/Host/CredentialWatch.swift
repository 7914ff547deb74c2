import FleetModel

/// What of the files that the section `mqtt` names has changed since they were last used: password, authority,
/// certificate and key (fault F254). Pure.
///
/// Files are replaced one after the other, and some in two steps; so a change counts when two looks see the same. What
/// cannot be used is said, once, and costs no connection that works.
struct CredentialWatch {
  /// Between two looks.
  static let pause = Duration.seconds(15)

  /// A file at one moment: the hash of what it holds, or why it cannot be used, in a sentence.
  enum Content: Hashable, Sendable {
    case hash([UInt8])
    case unusable(String)
  }

  /// The files by what they are to people: `the password file /etc/metafleet/password`.
  typealias Look = [String: Content]

  enum Finding: Hashable, Sendable {
    case same
    /// What is used from now on, in a sentence.
    case changed(String)
    /// What is not used, and why.
    case unusable(String)
  }

  private var used: Look
  private var seen: Look?
  private var said: String?

  init(_ look: Look) { used = look }

  /// Takes a look. `isCertain`: somebody says that the files are as they are meant, which a reload does.
  mutating func take(_ look: Look, isCertain: Bool = false) -> Finding {
    defer { seen = look }
    guard look != used else {
      said = nil
      return .same
    }
    guard isCertain || look == seen else { return .same }
    if let trouble = Self.trouble(look) {
      guard trouble != said else { return .same }
      said = trouble
      return .unusable(trouble)
    }
    let names = look.keys.filter { used[$0] != look[$0] }.sorted()
    // What is no longer named was left out by a reload, which makes the connection anew itself.
    let isRenamed = Set(look.keys) != Set(used.keys)
    (used, said) = (look, nil)
    return isRenamed || names.isEmpty
      ? .same : .changed("\(names.joined(separator: ", ")) changed")
  }

  private static func trouble(_ look: Look) -> String? {
    look.sorted { $0.key < $1.key }.lazy.compactMap { _, content in
      if case .unusable(let sentence) = content { sentence } else { nil }
    }.first
  }
}
