/// How boards shall present and connect themselves, as it was declared: keys of the verb `settings`, checked and with
/// their defaults filled in (MQTT contract 3.9, 7.4). Declarations are what is kept, compared and published.
public struct SettingsDeclaration: Hashable, Sendable {
  /// The keys by name.
  public private(set) var keys = JSONObject()

  /// Wants nothing.
  public init() {}

  /// What can be declared.
  public static var parameters: [Parameter] { SettingsVerb.parameters }

  /// Whether nothing is wanted.
  public var isEmpty: Bool { keys.isEmpty }

  /// Declares one key, by the rules of the verb; an earlier value of it is replaced. Throws `invalid` and what is
  /// wrong.
  public mutating func declare(_ key: String, _ value: JSONValue) throws(CommandFailure) {
    let checked = try SettingsVerb.check([key: value])
    // Not to begin something is nothing that can be wanted of a board.
    keys[key] = checked.settings == BoardSettings() ? nil : checked.values[key]
  }

  /// Takes one away.
  public mutating func withdraw(_ key: String) { keys[key] = nil }

  /// What is declared here, and what is declared in `other` besides.
  public func laid(over other: SettingsDeclaration) -> SettingsDeclaration {
    var both = self
    both.keys = other.keys.merging(keys)
    return both
  }

  /// What all of it means.
  public var settings: BoardSettings { meaning(of: keys) }

  /// What one key means by itself.
  public func settings(_ key: String) -> BoardSettings {
    meaning(of: keys[key].map { [key: $0] } ?? JSONObject())
  }

  /// Every key was checked once, so it can be read again.
  private func meaning(of keys: JSONObject) -> BoardSettings {
    (try? SettingsVerb.check(keys))?.settings ?? BoardSettings()
  }
}

extension SettingsDeclaration {
  /// Reads what was kept; what can no longer be declared is dropped.
  public init(document: JSONObject) {
    for (key, value) in document.members { try? declare(key, value) }
  }
}
