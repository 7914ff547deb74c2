import FleetModel

/// How commands of this program say whose they are: `anna@host metafleet`. A claim that nothing proves: whoever may
/// publish a command may write any name.
enum SenderIdentity {
  private static let longest = 64

  /// The user property of a command. `sudoer` is who became another user for it.
  static func property(user: String, sudoer: String?, host: String) -> UserProperty {
    let name = sudoer.flatMap { $0.isEmpty || $0 == user ? nil : $0 } ?? user
    return UserProperty(UserProperty.who, "\(clean(name))@\(clean(host)) metafleet")
  }

  /// Brokers close the connection of whoever sends a control character.
  private static func clean(_ text: String) -> String {
    let kept = text.unicodeScalars.filter { isPrintable($0) && $0 != " " }.prefix(longest)
    return kept.isEmpty ? "?" : String(String.UnicodeScalarView(kept))
  }
}
