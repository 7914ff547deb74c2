/// Links of documents to what lies in the repository lead there.
enum DocumentLinkRule {
  /// The targets of links in `text` that are no addresses on the net, without their anchors. Code is left out.
  static func targets(in text: String) -> [String] {
    var isCode = false
    return text.split(separator: "\n").flatMap { line -> [String] in
      if line.hasPrefix("```") { isCode.toggle() }
      guard !isCode else { return [] }
      return line.replacing(/`[^`]*`/, with: "").matches(of: /\]\(([^()\s]+)\)/).map { String($0.1) }
    }.filter { $0.firstMatch(of: /^[a-z]+:/) == nil }.map { String($0.prefix { $0 != "#" }) }.filter {
      !$0.isEmpty
    }
  }

  static func violations(in text: String, at path: String, exists: (String) -> Bool) -> [Violation] {
    targets(in: text).filter { target in place(of: target, from: path).map { !exists($0) } ?? true }.map {
      Violation(path, "has a link to \($0), which leads nowhere")
    }
  }

  /// Where a link of the document `path` leads, from the top of the repository; nil when it leads out of it.
  private static func place(of target: String, from path: String) -> String? {
    var steps = path.split(separator: "/").dropLast()
    for step in target.split(separator: "/") where step != "." {
      guard step == ".." else {
        steps.append(step)
        continue
      }
      if steps.popLast() == nil { return nil }
    }
    return steps.joined(separator: "/")
  }
}
