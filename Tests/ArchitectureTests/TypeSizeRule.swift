/// Types stay as small as files: a type of many slices is as hard to change as a file of many ideas.
enum TypeSizeRule {
  static let mostProperties = 15
  static let mostLines = 400
  /// Types that may have more lines, and why.
  static let exceptions = [
    "Dialects.DocumentField": "names the keys of each document beside that document, and does nothing"
  ]

  static func violations(in files: [SourceFile]) -> [Violation] {
    TypeSize.all(in: files).filter {
      $0.properties > mostProperties || $0.lines > mostLines && exceptions[$0.name] == nil
    }
    .map {
      Violation(
        $0.name,
        "has \($0.properties) stored properties and \($0.lines) lines; \(mostProperties) and \(mostLines) are the limit"
      )
    } + longInFiles(files)
  }

  /// The same by whole files, as somebody counts who looks at a folder: `Name.swift` and `Name+….swift` together.
  private static func longInFiles(_ files: [SourceFile]) -> [Violation] {
    let lines = files.reduce(into: [String: Int]()) { lines, file in
      let name = file.path.split(separator: "/").last?.prefix { $0 != "." && $0 != "+" } ?? ""
      lines["\(file.target).\(name)", default: 0] += file.text.count { $0 == "\n" }
    }
    return lines.filter { $0.value > mostLines }.sorted { $0.key < $1.key }
      .map { Violation($0.key, "has \($0.value) lines in the files of its name; \(mostLines) are the limit") }
  }
}
