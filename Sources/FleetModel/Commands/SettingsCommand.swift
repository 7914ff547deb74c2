/// What the verb `settings` asks for (MQTT contract 3.9).
public struct SettingsCommand: Hashable, Sendable {
  /// What it means.
  public var settings: BoardSettings
  /// The same as it was declared: that is what is kept of it.
  public var declared: SettingsDeclaration
  /// Whether the board shall set itself up so at every start.
  public var isPersistent: Bool

  /// Sets a board up, until its next reset unless `isPersistent`.
  public init(
    _ settings: BoardSettings, declared: SettingsDeclaration = SettingsDeclaration(),
    isPersistent: Bool = false
  ) {
    (self.settings, self.declared, self.isPersistent) = (settings, declared, isPersistent)
  }
}
