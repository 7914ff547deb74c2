/// A test's name is a sentence between accents, and its only name: no second one is displayed.
enum TestNameRule {
  static func violations(in files: [SourceFile]) -> [Violation] {
    files.flatMap { file in
      file.positions(of: "Test").filter { file.token($0 - 1)?.text == "@" }.flatMap {
        names(in: file, at: $0)
      }
    }
  }

  private static func names(in file: SourceFile, at attribute: Int) -> [Violation] {
    var index = attribute
    while let token = file.token(index), token.text != "func" { index += 1 }
    guard let name = file.token(index + 1)?.text, !name.hasPrefix("`") else { return [] }
    return [Violation(file.path, "names a test \(name): write a sentence between accents")]
  }
}
