/// Names that help: no type bears a module's name, no file is a drawer for odds and ends, no banners.
enum NameRule {
  static func violations(in files: [SourceFile], modules: Set<String>) -> [Violation] {
    files.flatMap { file in
      typesNamedAsModules(in: file, modules: modules) + drawers(in: file) + banners(in: file)
    }
  }

  /// A type named as its own module hides the module; one at the top level named as another hides that.
  private static func typesNamedAsModules(in file: SourceFile, modules: Set<String>) -> [Violation] {
    var depth = 0
    var found: [Violation] = []
    for (index, token) in file.code.enumerated() {
      depth += token.text == "{" ? 1 : token.text == "}" ? -1 : 0
      guard kinds.contains(token.text), let name = file.token(index + 1)?.text else { continue }
      if name == file.target || depth == 0 && modules.contains(name) {
        found.append(Violation(file.path, "the type \(name) bears a module's name"))
      }
    }
    return found
  }

  private static let kinds: Set<String> = ["actor", "class", "enum", "protocol", "struct", "typealias"]

  private static func drawers(in file: SourceFile) -> [Violation] {
    let pattern =
      /^(?:.*(?:Utils?|Utilities|Helpers?)|Common|Core|Misc|Extensions|Shared|Types|Constants)(?:\+.*)?$/
    return file.path.split(separator: "/").map { $0.hasSuffix(".swift") ? $0.dropLast(".swift".count) : $0 }
      .filter { $0.wholeMatch(of: pattern) != nil }
      .map { Violation(file.path, "\($0) says nothing about what is inside") }
  }

  private static func banners(in file: SourceFile) -> [Violation] {
    file.text.contains("// MARK")
      ? [Violation(file.path, "has a banner; a second heading is a second file")] : []
  }
}
