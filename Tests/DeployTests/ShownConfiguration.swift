import Foundation

/// Configurations that documents show.
enum ShownConfiguration {
  /// The blocks of YAML of a text in Markdown, put together as who follows it would.
  static func together(in text: String) -> String {
    text.matches(of: /```yaml\n([^`]*)```/).map { String($0.1) }.joined()
  }

  /// What it has a shell write into files of this name, one by one.
  static func written(to name: String, in text: String) -> [String] {
    text.matches(of: /\/([\w.-]+) <<'END'\n((?:.*\n)*?)END\n/).filter { $0.1 == name }.map { String($0.2) }
  }

  /// The example that `config example` prints, as a script that packages it edits it with `sed`; nil where an edit
  /// finds nothing, or there is none.
  static func example(_ text: String, packagedBy script: String) -> String? {
    let edits = script.matches(of: /'s\|\^([ ]+#[a-z_]+: )\.\*\|([^|]*)\|'/)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for edit in edits {
      guard lines.contains(where: { $0.hasPrefix(edit.1) }) else { return nil }
      lines = lines.map { $0.hasPrefix(edit.1) ? edit.2 : $0 }
    }
    return edits.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// The packages that it has `apt-get` install.
  static func packages(in text: String) -> Set<String> {
    let lines = text.matches(of: /apt-get install --yes (.*)\n/).map(\.1)
    return Set(lines.flatMap { $0.split(separator: " ").map(String.init) })
  }

  /// The packages that a script of `deploy` installs by name.
  static func needed(by script: String) -> Set<String> {
    let lines = script.matches(of: /(?m)^ *install_packages ([a-z][^\n"]*)$/).map(\.1)
    return Set(lines.flatMap { $0.split(separator: " ").map(String.init) })
  }
}
