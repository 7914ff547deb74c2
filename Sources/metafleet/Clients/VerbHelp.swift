import FleetModel

/// The verbs with their arguments, from the catalogue, for people at a terminal.
enum VerbHelp {
  /// Help is shown in so many columns where the terminal does not say.
  private static let width = 78

  /// The names of an addressee's verbs, for `send --help`.
  static func names(for addressee: VerbDefinition.Addressee) -> String {
    TextWrap.lines(
      VerbCatalogue.names(for: addressee).joined(separator: ", "), width: width, margin: "  "
    ).joined(separator: "\n")
  }

  /// Those that groups take, and their boards do not.
  static var groupOnly: String {
    VerbCatalogue.all.filter { $0.addressee == .group }.map(\.name).sorted().joined(separator: ", ")
  }

  /// Everything about one verb.
  static func page(of verb: VerbDefinition) -> [String] {
    var lines = TextWrap.lines("\(verb.name): \(verb.summary)", width: width, hanging: "    ")
    let parameters = verb.parameters.filter { $0.name != verb.fork?.key }
    if !parameters.isEmpty { lines += ["", "Arguments:"] + parameters.flatMap { argument($0, margin: 2) } }
    if let further = verb.furtherKeys, verb.fork == nil { lines.append("  … \(further)") }
    for branch in verb.fork?.branches ?? [] {
      lines +=
        ["", "\(verb.fork?.key ?? "")=\(branch.word)"] + branch.parameters.flatMap { argument($0, margin: 2) }
      lines += TextWrap.lines("answers \(branch.result)", width: width, margin: "  ", hanging: "      ")
    }
    lines += answer(of: verb)
    return lines + ["", "Example:", "  \(VerbExample.command(verb))"]
  }

  private static func answer(of verb: VerbDefinition) -> [String] {
    var lines: [String] = []
    if !verb.answer.results.isEmpty {
      lines += ["", "Answers:"]
      for result in verb.answer.results {
        lines += TextWrap.lines(
          "\(result.name): \(result.summary)\(result.isRequired ? "" : ", where known")", width: width,
          margin: "  ",
          hanging: "      ")
      }
    }
    if let further = verb.answer.furtherResults, verb.fork == nil { lines += ["", "Answers \(further)."] }
    let evidence = verb.answer.evidence.map(\.rawValue).joined(separator: ", ")
    if !evidence.isEmpty { lines += ["", "Proved by \(evidence)."] }
    let failures = verb.answer.failures.map(\.rawValue).joined(separator: ", ")
    if !failures.isEmpty {
      lines.append("")
      lines += TextWrap.lines("May fail with \(failures), besides the codes of all verbs.", width: width)
    }
    return lines
  }

  private static func argument(_ parameter: Parameter, margin: Int) -> [String] {
    let margin = String(repeating: " ", count: margin)
    return TextWrap.lines(words(of: parameter), width: width, margin: margin, hanging: margin + "    ")
  }

  private static func words(of parameter: Parameter) -> String {
    var text = "\(parameter.name)\(parameter.isRequired ? " (needed)" : ""): \(parameter.summary)"
    if case .object = parameter.type {} else { text += " – \(parameter.type.words)" }
    if let standard = parameter.standard { text += " [\(standard.string ?? JSONText.of(standard))]" }
    return text
  }
}
