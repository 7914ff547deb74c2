/// What is cited is there: in comments, titles of tests and documents.
enum CitationRule {
  static func violations(in text: String, at path: String, targets: CitationTargets) -> [Violation] {
    let missing = CitationReader(text, at: path).citations.filter { !targets.contain($0) }
    return Set(missing).map { Violation(path, "cites \($0), which is not there") }
  }
}
