/// Links between documents lead somewhere: to a file or folder that is there, and to a heading in it.
enum LinkRule {
  /// `text` reads a file by its path, `exists` says whether something is there.
  static func violations(
    in text: String, at path: String, exists: (String) -> Bool, text read: (String) -> String
  ) -> [Violation] {
    targets(in: text).compactMap { target in
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      let file = parts[0].isEmpty ? path : resolve(parts[0], from: path)
      guard exists(file) else { return Violation(path, "links to \(target), which is not there") }
      guard parts.count > 1, file.hasSuffix(".md"), !anchors(in: read(file)).contains(parts[1]) else {
        return nil
      }
      return Violation(path, "links to \(target), but there is no such heading")
    }
  }

  /// What links in `text` lead to, but for addresses on the network. Code is left out.
  static func targets(in text: String) -> [String] {
    var isCode = false
    return text.split(separator: "\n").flatMap { line -> [String] in
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode, line.contains("](") else { return [] }
      return line.replacing(/`[^`]*`/, with: "").matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter {
        !$0.contains(":")
      }
    }
  }

  /// Anchors of the headings in `text`, as GitHub makes them.
  static func anchors(in text: String) -> Set<String> {
    var anchors: Set<String> = []
    var isCode = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode, let heading = line.wholeMatch(of: /#{1,6} (.+)/) else { continue }
      let anchor = self.anchor(of: heading.1)
      let free = (0...).lazy.map { $0 == 0 ? anchor : "\(anchor)-\($0)" }.first { !anchors.contains($0) }
      anchors.insert(free ?? anchor)
    }
    return anchors
  }

  private static func anchor(of heading: Substring) -> String {
    String(
      heading.lowercased().replacing(" ", with: "-").filter {
        $0.isLetter || $0.isNumber || "-_".contains($0)
      })
  }

  /// The path from the repository's root of what `target` means in the file at `path`.
  private static func resolve(_ target: String, from path: String) -> String {
    var parts = path.split(separator: "/").dropLast().map(String.init)
    for part in target.split(separator: "/") where part != "." {
      if part == "..", !parts.isEmpty { parts.removeLast() } else { parts.append(String(part)) }
    }
    return parts.joined(separator: "/")
  }
}
