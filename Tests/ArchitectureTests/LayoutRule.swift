/// What lies at the top of the repository, and that no file speaks of the machine it was written on.
enum LayoutRule {
  static let topLevel: Set<String> = [
    "LICENSE", "Package.swift", "README.md", "Sources", "Tests", "dashboards", "deploy",
  ]
  /// Written by the build, never kept.
  static let generated: Set<String> = ["Package.resolved"]
  /// Paths of particular machines, in pieces so that this file may be checked too.
  static let placesOfMachines = ["/wo" + "rk/", "/tmp" + "/wt", "sha" + "red/", "/ro" + "ot/"]

  static func violations(inTopLevel names: [String]) -> [Violation] {
    names.filter { !$0.hasPrefix(".") && !topLevel.contains($0) && !generated.contains($0) }.sorted().map {
      Violation($0, "does not belong at the top of the repository")
    }
  }

  static func violations(in text: String, at path: String) -> [Violation] {
    placesOfMachines.filter { text.contains($0) }.map {
      Violation(path, "names a place of one machine: \($0)")
    }
  }
}
