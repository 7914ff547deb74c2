/// Types stay as small as files: a type of many slices is as hard to change as a file of many ideas.
enum TypeSizeRule {
  static let mostProperties = 15
  static let mostLines = 400

  /// A type that is larger than it should be.
  struct Debt: Sendable {
    let name: String
    let properties: Int
    let lines: Int

    init(_ name: String, _ properties: Int, _ lines: Int) {
      (self.name, self.properties, self.lines) = (name, properties, lines)
    }
  }

  static func violations(in files: [SourceFile], debts: [Debt]) -> [Violation] {
    let sizes = TypeSize.all(in: files)
    let found = sizes.compactMap { size -> Violation? in
      let debt = debts.first { $0.name == size.name }
      let properties = max(mostProperties, debt?.properties ?? 0)
      let lines = max(mostLines, debt?.lines ?? 0)
      guard size.properties > properties || size.lines > lines else { return nil }
      return Violation(
        size.name,
        "has \(size.properties) stored properties and \(size.lines) lines; \(properties) and \(lines) are the limit"
      )
    }
    return found
      + debts.filter { debt in !sizes.contains { $0.name == debt.name && isLarge($0) } }
      .map { Violation($0.name, "stands in TypeSizeDebts.swift and is no longer large") }
  }

  private static func isLarge(_ size: TypeSize) -> Bool {
    size.properties > mostProperties || size.lines > mostLines
  }
}
