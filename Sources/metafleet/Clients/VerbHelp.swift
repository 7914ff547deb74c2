import FleetModel

/// The verbs with their arguments, from the catalogue, for `send --help`.
enum VerbHelp {
  /// Help is shown in so many columns where the terminal does not say.
  private static let width = 78

  /// Every verb of an addressee: what it does, then its arguments.
  static func text(for addressee: VerbDefinition.Addressee) -> String {
    let verbs = VerbCatalogue.all.filter { $0.addressee == addressee }.sorted { $0.name < $1.name }
    return verbs.flatMap(lines).joined(separator: "\n")
  }

  private static func lines(of verb: VerbDefinition) -> [String] {
    var lines = TextWrap.lines("\(verb.name): \(verb.summary)", width: width, margin: "  ", hanging: "      ")
    for parameter in verb.parameters {
      lines += TextWrap.lines(words(of: parameter), width: width, margin: "      ", hanging: "          ")
    }
    if let further = verb.furtherKeys { lines.append("      … \(further)") }
    return lines
  }

  private static func words(of parameter: Parameter) -> String {
    var text = "\(parameter.name)\(parameter.isRequired ? " (needed)" : ""): \(parameter.summary)"
    if case .object = parameter.type {} else { text += " – \(parameter.type.words)" }
    if let standard = parameter.standard { text += " [\(standard.string ?? JSONText.of(standard))]" }
    return text
  }
}
