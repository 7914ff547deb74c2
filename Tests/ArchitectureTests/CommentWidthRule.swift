/// Comments fit a window of 120 columns; the formatter wraps code, not them.
enum CommentWidthRule {
  static let columns = 120

  static func violations(in file: SourceFile) -> [Violation] {
    file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
      number, line in
      guard line.count > columns, line.drop(while: { $0 == " " }).hasPrefix("//") else { return nil }
      return Violation(file.path, "line \(number + 1) is a comment of more than \(columns) columns")
    }
  }
}
