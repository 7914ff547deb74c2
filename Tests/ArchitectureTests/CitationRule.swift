/// What is cited is there: in comments, titles of tests and documents.
enum CitationRule {
  static func violations(
    in citations: [Citation], at path: String, targets: CitationTargets
  ) -> [Violation] {
    Set(citations.filter { !targets.contain($0) }).map {
      Violation(path, "cites \($0), which is not there")
    }
  }
}
