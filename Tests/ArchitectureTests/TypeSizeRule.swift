/// Types stay as small as files: a type of many slices is as hard to change as a file of many ideas.
enum TypeSizeRule {
  static let mostProperties = 15
  static let mostLines = 400

  static func violations(in files: [SourceFile]) -> [Violation] {
    TypeSize.all(in: files).filter { $0.properties > mostProperties || $0.lines > mostLines }
      .map {
        Violation(
          $0.name,
          "has \($0.properties) stored properties and \($0.lines) lines; \(mostProperties) and \(mostLines) are the limit"
        )
      }
  }
}
