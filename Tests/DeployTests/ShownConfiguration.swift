import Foundation

/// Configurations that documents show.
enum ShownConfiguration {
  /// The blocks of YAML of a text in Markdown, put together as who follows it would.
  static func together(in text: String) -> String {
    text.matches(of: /```yaml\n([^`]*)```/).map { String($0.1) }.joined()
  }

  /// What it has a shell write into files `metafleet.yaml`, one by one.
  static func written(in text: String) -> [String] {
    text.matches(of: /metafleet\.yaml <<'END'\n((?:.*\n)*?)END\n/).map { String($0.1) }
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
