/// Paths the documentation names are there.
enum ReadmeRule {
  /// Paths in `text`: what begins with a folder of the repository, or stands between backquotes and begins with a
  /// target's name.
  static func paths(in text: String) -> [String] {
    let folders = text.matches(
      of: /(?:^|[\s`(\/])((?:\.ci|\.github|Sources|Tests|deploy|dashboards)\/[\w.+\/-]+)/)
    let quoted = text.matches(of: /`(\w[\w.+\/-]*)`/).map { String($0.1) }
    return folders.map { String($0.1) }
      + quoted.filter { path in ImportTable.rows.keys.contains { path.hasPrefix($0 + "/") } }
  }

  static func violations(in text: String, at path: String, exists: (String) -> Bool) -> [Violation] {
    paths(in: text).filter { !exists($0) && !exists("Sources/\($0)") }.map {
      Violation(path, "names \($0), which is not there")
    }
  }
}
