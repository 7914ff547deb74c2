import FleetModel

extension ValueForm<CommandPermissions> {
  /// Rules of what is allowed (MQTT contract 7.3). A key without a value leaves what is allowed anyway; an empty list
  /// allows nothing.
  static let permissions = ValueForm(shape: rules.shape) { node, path, reading in
    if node.isEmpty { return CommandPermissions() }
    return rules.read(node, path, &reading).map { CommandPermissions($0) }
  } write: { _ in
    nil
  }

  private static let rules = ValueForm<[CommandPermissions.Rule]>.list(
    of: .record(
      [
        key("verbs", \.verbs, "Verbs; * = all but raw."), key("groups", \.groups, "Groups; * = all."),
        key("boards", \.boards, "Boards by their identifiers; * = all."),
      ], from: CommandPermissions.Rule()), atMost: 256)

  private static func key(
    _ name: String, _ target: any WritableKeyPath<CommandPermissions.Rule, [String]?> & Sendable,
    _ summary: String
  ) -> ConfigurationKey<CommandPermissions.Rule> {
    ConfigurationKey(
      name, .list(of: .word("a name or *"), atMost: 256), target, .live, summary, sample: "[\"*\"]",
      whenMissing: "all")
  }
}
