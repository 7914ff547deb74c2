/// Constructs that are counted: as many as allowed, in the files allowed, no more and no fewer.
enum CountRule {
  struct Allowance {
    let construct: Construct
    /// Relative to `Sources`.
    let file: String
    let count: Int
    let reason: String

    init(_ construct: Construct, _ file: String, _ count: Int = 1, because reason: String) {
      self.construct = construct
      self.file = file
      self.count = count
      self.reason = reason
    }
  }

  static func violations(in files: [SourceFile], allowed: [Allowance]) -> [Violation] {
    var left = allowed
    var found: [Violation] = []
    for file in files {
      for construct in Construct.allCases {
        let count = construct.count(in: file)
        let index = left.firstIndex { $0.construct == construct && "Sources/\($0.file)" == file.path }
        let allowedCount = index.map { left.remove(at: $0).count } ?? 0
        guard count != allowedCount else { continue }
        found.append(
          Violation(
            file.path, "has \(construct.rawValue) \(count) times; Allowances.swift says \(allowedCount)"))
      }
    }
    return found + left.map { Violation("Sources/\($0.file)", "stands in Allowances.swift but is no more") }
  }
}
