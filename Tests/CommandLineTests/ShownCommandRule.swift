import Support

/// Whether a command line that a document shows is one: the sub-command, its options, the verb that is sent.
struct ShownCommandRule {
  /// What each sub-command says of itself, by its words; the program's own by the empty text.
  var help: [String: String]
  var verbs: Set<String>

  /// What is wrong with a command; nil when nothing is, or when it is another program's.
  func problem(of command: ShownCommand) -> String? {
    guard command.program == "metafleet", let first = command.words.dropFirst().first, !first.hasPrefix("-")
    else { return nil }
    guard Self.subcommands(in: help[""] ?? "").contains(first) else {
      return "\(command): there is no sub-command \(first)"
    }
    let words = Array(command.words.dropFirst(2))
    let below = Self.subcommands(in: help[first] ?? "")
    let usual = Self.usualSubcommand(in: help[first] ?? "")
    if let second = words.first, !below.isEmpty, !below.contains(second), usual == nil, !second.hasPrefix("-")
    {
      return "\(command): \(first) has no \(second)"
    }
    let part = words.first.flatMap { below.contains($0) ? $0 : nil } ?? usual
    let name = part.map { "\(first) \($0)" } ?? first
    for option in words.filter({ $0.hasPrefix("--") }).map({ String($0.prefix { $0 != "=" }) })
    where !Self.offers(option, help[name] ?? "") {
      return "\(command): \(name) has no option \(option)"
    }
    return verb(in: words, of: first).flatMap {
      verbs.contains($0) ? nil : "\(command): there is no verb \($0)"
    }
  }

  private func verb(in words: [String], of subcommand: String) -> String? {
    switch subcommand {
    case "send" where words.count > 1: words[1]
    case "verbs": words.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
    default: nil
    }
  }

  /// Whether a help text holds the option as a whole word, alone or beside its opposite.
  private static func offers(_ option: String, _ help: String) -> Bool {
    help.split { $0.isWhitespace || "[]/,".contains($0) }.contains { $0 == option }
  }

  /// The sub-command that is meant where none is named; nil where one has to be.
  private static func usualSubcommand(in help: String) -> String? {
    help.firstMatch(of: /\n[ ]{2}([a-z]+(?:-[a-z]+)*) \(default\)/).map { String($0.1) }
  }

  /// The names in the list of sub-commands that a help text ends with.
  static func subcommands(in help: String) -> [String] {
    guard let list = help.firstRange(of: "SUBCOMMANDS:\n") else { return [] }
    return help[list.upperBound...].split(separator: "\n").compactMap { line in
      line.prefixMatch(of: /[ ]{2}([a-z]+(?:-[a-z]+)*)(?: |$)/).map { String($0.1) }
    }
  }
}
