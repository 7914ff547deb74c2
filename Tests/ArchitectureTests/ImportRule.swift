/// Imports point down only, as the table says.
enum ImportRule {
  /// Imports of `files` that the table does not allow.
  static func violations(in files: [SourceFile], rows: [String: ImportTable.Row]) -> [Violation] {
    files.flatMap { file -> [Violation] in
      guard let row = rows[file.target] else {
        return [
          Violation(file.path, "belongs to no target of the import table; give it a row in ImportTable.swift")
        ]
      }
      return imports(of: file).subtracting(row.all).sorted().map {
        Violation(file.path, "\(file.target) may not import \($0)")
      }
    }
  }

  /// Dependencies that `manifest` gives a target beyond the table.
  static func violations(inManifest manifest: String, rows: [String: ImportTable.Row]) -> [Violation] {
    dependencies(inManifest: manifest).flatMap { target, dependencies -> [Violation] in
      guard let row = rows[target] else {
        return [Violation("Package.swift", "\(target) has no row in the table")]
      }
      return dependencies.subtracting(row.all).sorted().map {
        Violation("Package.swift", "\(target) may not depend on \($0)")
      }
    }
  }

  /// Modules a file imports.
  static func imports(of file: SourceFile) -> Set<String> {
    Set(
      file.positions(of: "import").compactMap { index in
        let isOfDeclaration = file.token(index + 1).map { kinds.contains($0.text) } ?? false
        return file.token(index + (isOfDeclaration ? 2 : 1))?.text
      })
  }

  private static let kinds: Set<String> = [
    "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
  ]

  /// What the manifest's library and executable targets depend on.
  static func dependencies(inManifest manifest: String) -> [String: Set<String>] {
    let target =
      /(?:library\(|executableTarget\(\s*name:)\s*"(\w+)",?\s*(?:dependencies:\s*)?(?:\[([^\]]*)\])?/
    let name = /(?:name:\s*)?"(\w+)"(?:,\s*package:\s*"[^"]*")?|(logging)/
    var found: [String: Set<String>] = [:]
    for match in manifest.matches(of: target) {
      let list = match.2 ?? ""
      found[String(match.1)] = Set(
        list.matches(of: name).map { $0.1.map(String.init) ?? ImportRule.productOfSwiftLog })
    }
    return found
  }

  private static let productOfSwiftLog = "Logging"
}
