/// A user property of an MQTT 5 message: what its sender says beside the payload. A name may come more than once.
public struct UserProperty: Hashable, Sendable {
  /// As the sender chose it.
  public var name: String
  /// As the sender chose it.
  public var value: String

  /// The property in which a sender says who it is: `anna@host program`. Claimed, and not proved.
  public static let who = "who"

  /// Takes both parts.
  public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

extension Sequence<UserProperty> {
  /// Who the sender says it is: its property `who`, else all that it said, of at most 128 Unicode scalars; nil where it
  /// said nothing. Claimed, and not proved: anybody may write anything.
  public var claimedSender: String? {
    let said =
      first { $0.name == UserProperty.who && !$0.value.isEmpty }?.value
      ?? map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    guard !said.isEmpty else { return nil }
    return String(String.UnicodeScalarView(said.unicodeScalars.prefix(128)))
  }
}
