/// Effects are the listed exception: a file with one stands in the list, and a file in the list has one.
enum EffectRule {
  static func violations(in files: [SourceFile], listed: [String: Set<String>]) -> [Violation] {
    var left = listed
    var found: [Violation] = []
    for file in files {
      let isListed = left[file.target]?.remove(file.name) != nil
      let effects = Effect.allCases.filter { $0.occurs(in: file) }
      if !effects.isEmpty, !isListed {
        let words = effects.map(\.rawValue).joined(separator: ", ")
        found.append(
          Violation(file.path, "is not in EffectFiles.swift, yet has \(words); decide purely or list it"))
      } else if effects.isEmpty, isListed {
        found.append(Violation(file.path, "is pure by now; take it off EffectFiles.swift"))
      }
    }
    for (target, names) in left.sorted(by: { $0.key < $1.key }) {
      found += names.sorted().map {
        Violation("\(target)/\($0).swift", "stands in EffectFiles.swift but is no more")
      }
    }
    return found
  }
}
