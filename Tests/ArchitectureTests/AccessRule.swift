/// `public` is a promise to developers of other packages; only three libraries make one.
enum AccessRule {
  static let libraries: Set<String> = ["BoardKit", "FleetModel", "MetaMotion"]

  static func violations(in files: [SourceFile]) -> [Violation] {
    files.filter {
      !libraries.contains($0.target) && $0.count(of: "public") + $0.count(of: "open", "class") > 0
    }.map {
      Violation($0.path, "declares something public; package is enough in \($0.target)")
    }
  }
}
