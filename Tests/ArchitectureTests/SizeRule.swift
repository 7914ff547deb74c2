/// Files stay small enough to be read in one go: about 100 lines, never over 500.
enum SizeRule {
  static let limit = 500

  /// Files by path that are too long; data that programs read, such as vectors, may be.
  static func violations(in files: [String: String]) -> [Violation] {
    files.filter { !$0.key.hasSuffix(".json") && lines(in: $0.value) > limit }.sorted { $0.key < $1.key }.map
    {
      Violation(
        $0.key, "has \(lines(in: $0.value)) lines; \(limit) is the limit: it holds more than one idea")
    }
  }

  static func median(of files: [SourceFile]) -> Int {
    let sorted = files.map { lines(in: $0.text) }.sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  private static func lines(in text: String) -> Int { text.utf8.count { $0 == UInt8(ascii: "\n") } }
}
