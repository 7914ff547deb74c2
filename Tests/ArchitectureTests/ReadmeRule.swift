/// Paths the documentation names are there.
enum ReadmeRule {
  /// Paths in `text`: what stands between backquotes or in a link's parentheses and begins with a folder of ours.
  static func paths(in text: String) -> [String] {
    let inline = text.matches(of: /`(?:\.\/)?([A-Za-z.][\w.+\/-]*)`/).map { String($0.1) }
    let linked = text.matches(of: /\]\((?:\.\/)?([A-Za-z.][\w.+\/-]*)(?:#[\w-]*)?\)/).map { String($0.1) }
    return (inline + linked).filter { path in
      folders.contains { path.hasPrefix($0 + "/") } || path.hasSuffix(".swift") || path.hasSuffix(".md")
    }
  }

  static func violations(in text: String, at path: String, exists: (String) -> Bool) -> [Violation] {
    paths(in: text).filter { !exists($0) && !exists("Sources/\($0)") }.map {
      Violation(path, "names \($0), which is not there")
    }
  }

  private static let folders = ["Sources", "Tests", "deploy", "dashboards", ".ci"] + ImportTable.rows.keys
}
