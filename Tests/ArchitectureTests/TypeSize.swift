/// How large a type is over all its files and extensions, blank lines included, without the types inside it. Counted by
/// indentation, which the formatter holds.
struct TypeSize: Hashable, Sendable {
  /// With its module and the types around it: `Fleet.BoardSession`.
  let name: String
  private(set) var lines = 0
  private(set) var properties = 0

  /// Of every type that `files` declare or extend, by name.
  static func all(in files: [SourceFile]) -> [TypeSize] {
    var sizes: [String: TypeSize] = [:]
    for file in files {
      // Types that are open, outermost first: where their bodies are indented to, and their names.
      var open: [(indent: Int, name: String)] = []
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() {
        let code = line.drop { $0 == " " }
        guard let first = code.first else {
          if let around = open.last { sizes[around.name]?.lines += 1 }
          continue
        }
        let indent = line.utf8.count - code.utf8.count
        var closed: String?
        while let last = open.last, indent < last.indent, first != ")" {
          closed = last.name
          open.removeLast()
        }
        if first == "}", let closed {
          sizes[closed]?.lines += 1
          continue
        }
        let outside = open.last
        let words = words(of: code)
        if let declared = declaredType(words) {
          let name = "\(outside?.name ?? file.target).\(declared)"
          sizes[name, default: TypeSize(name: name)].lines += 1
          // All of it may stand in one line.
          if code.last != "}" { open.append((indent + 2, name)) }
        } else if let outside {
          sizes[outside.name]?.lines += 1
          if outside.indent == indent {
            let next = number + 1 < lines.count ? lines[number + 1].drop { $0 == " " } : ""
            sizes[outside.name]?.properties += storedProperties(code, words, before: next)
          }
        }
      }
    }
    return sizes.values.sorted { $0.name < $1.name }
  }

  private static let modifiers: Set<Substring> = [
    "public", "package", "internal", "private", "fileprivate", "final", "nonisolated", "indirect", "unowned",
    "weak",
    "lazy", "private(set)", "package(set)", "nonisolated(unsafe)", "unowned(unsafe)",
  ]

  /// The words of a line behind attributes and modifiers.
  private static func words(of code: Substring) -> ArraySlice<Substring> {
    code.split(separator: " ").drop { $0.first == "@" || modifiers.contains($0) }
  }

  /// The name behind `struct`, `class`, `actor`, `enum` or `extension`; nil for anything else.
  private static func declaredType(_ words: ArraySlice<Substring>) -> Substring? {
    let kinds: Set<Substring> = ["struct", "class", "actor", "enum", "extension"]
    guard let kind = words.first, kinds.contains(kind), let name = words.dropFirst().first,
      !["func", "var", "let"].contains(name)
    else { return nil }
    return name.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
  }

  /// How many properties of an object a line of a type's body declares that are kept, and not computed.
  private static func storedProperties(
    _ code: Substring, _ words: ArraySlice<Substring>, before next: Substring
  ) -> Int {
    guard let kind = words.first, kind == "let" || kind == "var", let name = words.dropFirst().first else {
      return 0
    }
    if let body = code.firstIndex(of: "{"), !code[..<body].contains("=") {
      // A body is computed, unless it only observes.
      let observes = ["didSet", "willSet"].contains { next.hasPrefix($0) || code[body...].contains($0) }
      guard observes else { return 0 }
    }
    guard name.first == "(" else { return 1 }
    return (code.firstIndex(of: ")").map { code[..<$0].count { $0 == "," } } ?? 0) + 1
  }
}
