/// One Swift file: where it is, what it says, and its code alone.
struct SourceFile: Sendable {
  /// Relative to the repository's root.
  let path: String
  let text: String
  /// Without comments and without what literals say, line by line.
  let code: [Substring]

  init(path: String, text: String) {
    self.path = path
    self.text = text
    code = CodeReader.code(of: text).split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The target it belongs to: `Fleet` of `Sources/Fleet/Gateway.swift`.
  var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }

  /// Its name without `.swift`; a module holds a name only once.
  var name: String { String((path.split(separator: "/").last ?? "").dropLast(".swift".count)) }

  /// The name before a `+`: what the file is about.
  var subject: String { String(name.prefix { $0 != "+" }) }

  var lineCount: Int { text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 }

  /// Whether some line of code matches.
  func contains(_ pattern: some RegexComponent) -> Bool { code.contains { $0.contains(pattern) } }

  /// How often the pattern occurs in its code.
  func count(_ pattern: some RegexComponent) -> Int { code.reduce(0) { $0 + $1.matches(of: pattern).count } }
}
