import FleetModel

/// The documentation of the verbs as Markdown, from the catalogue: a page for each, and one that leads to them.
enum VerbDocument {
  /// The page that leads to the others.
  static var index: String {
    var lines = [
      "# Verbs", "",
      "Made from the catalogue by `metafleet verbs --export deploy`, as are the pages it leads to and the schemas in",
      "[deploy/schemas](../schemas); a test holds them together. How requests and replies travel, and what holds for all",
      "verbs, is in [mqtt-commands.md](mqtt-commands.md).", "",
      "Any verb may fail with \(list(VerbAnswer.common.map(\.rawValue)));",
      "further codes stand with the verb. `accepted` says that a request is in order; `done` tells by `evidence` how that was",
      "proved, strongest first on the pages.",
    ]
    for (addressee, title) in [
      (VerbDefinition.Addressee.board, "Of boards and groups"), (.group, "Of groups alone"),
      (.gateway, "Of gateways"),
    ] {
      lines += ["", "## \(title)", "", "| verb | needs | |", "|---|---|---|"]
      for verb in VerbCatalogue.all.filter({ $0.addressee == addressee }).sorted(by: { $0.name < $1.name }) {
        let needed = verb.parameters.filter(\.isRequired).map { "`\($0.name)`" }.joined(separator: " ")
        lines.append("| [`\(verb.name)`](verbs/\(verb.name).md) | \(needed) | \(verb.summary) |")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The page of one verb.
  static func page(of verb: VerbDefinition) -> String { section(verb).joined(separator: "\n") + "\n" }

  private static func section(_ verb: VerbDefinition) -> [String] {
    var lines = ["# `\(verb.name)`", "", verb.summary]
    lines += table(verb.parameters.filter { $0.name != verb.fork?.key }, of: verb)
    if let fork = verb.fork { lines += branches(fork) }
    if !verb.answer.results.isEmpty || verb.answer.furtherResults != nil {
      let results = verb.answer.results.map {
        "`\($0.name)` \($0.summary)\($0.isRequired ? "" : ", where known")"
      }
      lines += [
        "", "Answer: \((results + [verb.answer.furtherResults].compactMap { $0 }).joined(separator: "; ")).",
      ]
    }
    if !verb.answer.evidence.isEmpty {
      lines += ["", "Evidence: \(list(verb.answer.evidence.map(\.rawValue)))."]
    }
    if !verb.answer.failures.isEmpty {
      lines += ["", "Fails also with: \(list(verb.answer.failures.map(\.rawValue)))."]
    }
    let request: JSONObject = verb.example.isEmpty ? [:] : ["args": .object(verb.example)]
    return lines + [
      "", "```json", JSONText.of(.object(request)), "```", "", "```sh", VerbExample.command(verb), "```",
    ]
  }

  private static func table(_ parameters: [Parameter], of verb: VerbDefinition) -> [String] {
    var rows = parameters.map { row($0.name, $0) }
    if let further = verb.furtherKeys, verb.fork == nil { rows.append("| … | | | \(further) |") }
    return rows.isEmpty ? [] : ["", "| argument | values | default | |", "|---|---|---|---|"] + rows
  }

  private static func branches(_ fork: VerbVariants) -> [String] {
    ["", "| `\(fork.key)` (needed) | further arguments | `data` |", "|---|---|---|"]
      + fork.branches.map { branch in
        let further = branch.parameters.map { parameter in
          let standard = parameter.standard.map { " (\(plain($0)))" } ?? ""
          return
            "`\(parameter.name)`\(parameter.isRequired ? " (needed)" : ""): \(words(parameter.type))\(standard)"
        }
        return "| `\(branch.word)` | \(further.joined(separator: "; ")) | \(branch.result) |"
      }
  }

  private static func row(_ name: String, _ parameter: Parameter) -> String {
    let standard = parameter.isRequired ? "needed" : parameter.standard.map { "`\(plain($0))`" } ?? ""
    return "| `\(name)` | \(words(parameter.type)) | \(standard) | \(parameter.summary) |"
  }

  private static func words(_ type: ParameterType) -> String {
    switch type {
    case .choice(let words): words.map { "`\($0)`" }.joined(separator: " ")
    default: type.words.replacing("|", with: "\\|")
    }
  }

  private static func plain(_ value: JSONValue) -> String { value.string ?? JSONText.of(value) }

  private static func list(_ words: [String]) -> String { words.map { "`\($0)`" }.joined(separator: ", ") }
}
