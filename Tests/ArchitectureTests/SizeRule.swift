/// Files stay small enough to be read in one go: about 100 lines, never over 500.
enum SizeRule {
  static let limit = 500

  static func violations(in files: [SourceFile]) -> [Violation] {
    files.filter { $0.lineCount > limit }.map {
      Violation($0.path, "has \($0.lineCount) lines; \(limit) is the limit: it holds more than one idea")
    }
  }

  static func median(of files: [SourceFile]) -> Int {
    let sorted = files.map(\.lineCount).sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }
}
