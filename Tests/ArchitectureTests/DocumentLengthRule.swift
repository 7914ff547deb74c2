/// Documents that are read from top to bottom stay short enough for that.
enum DocumentLengthRule {
  /// Words, by document.
  static let limits = ["README.md": 1_000]

  static func words(in text: String) -> Int { text.split(whereSeparator: \.isWhitespace).count }

  static func violations(in texts: [String: String]) -> [Violation] {
    texts.sorted { $0.key < $1.key }.compactMap { path, text in
      guard let limit = limits[path], words(in: text) > limit else { return nil }
      return Violation(
        path,
        "has \(words(in: text)) words; \(limit) is the limit: what not every reader needs has another page")
    }
  }
}
