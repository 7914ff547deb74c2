import FleetModel

extension ValueForm<SettingsDeclaration> {
  /// Keys of the verb `settings`, read by the verb's own rules, one at a time: every wrong one is named with its place.
  static let settings = ValueForm(
    shape: .value(
      words: "a mapping with the keys " + SettingsDeclaration.parameters.map(\.name).joined(separator: ", "),
      schema: JSONSchema.members(SettingsDeclaration.parameters))
  ) { node, path, reading in
    guard let members = reading.members(of: node, path) else { return nil }
    let known = Dictionary(
      SettingsDeclaration.parameters.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var declaration = SettingsDeclaration()
    for member in members {
      let place = "\(path).\(member.key)"
      guard let parameter = known[member.key] else {
        reading.error(place, member.position, unknown(member.key))
        continue
      }
      do throws(CommandFailure) {
        try declaration.declare(member.key, member.value.json(as: parameter.type))
      } catch {
        reading.error(place, member.value.position, "\(place): \(error.message)")
      }
      let keeper = declaration.settings(member.key).whitelist
      if keeper?.mode == .connect || keeper?.mode == .both {
        // What the verb wants a confirmation for.
        reading.report(
          .warning, place, member.position,
          "\(place) can lock everybody out; all adapters of this gateway must be on it")
      }
    }
    return declaration
  } write: { _ in
    nil
  }

  private static func unknown(_ key: String) -> String {
    if key == "persist" {
      return "settings of a profile are applied after every reset; take persist out, it is for the verb"
    }
    let names = SettingsDeclaration.parameters.map(\.name)
    let advice =
      Suggestion.nearest(to: key, in: names).map { "did you mean \($0)?" }
      ?? "there are \(names.joined(separator: ", "))"
    return "there is no setting \(quoted(key)); \(advice)"
  }
}
