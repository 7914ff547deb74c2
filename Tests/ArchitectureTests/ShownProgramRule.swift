import Support

/// What a document tells to run is there and can be run.
enum ShownProgramRule {
  static let places = ["./deploy/", "deploy/", "./Tests/", "Tests/", ".ci/"]

  static func violations(
    in text: String, at path: String, isExecutable: (String) -> Bool
  ) -> [Violation] {
    ShownCommand.all(in: text).map(\.program).filter { program in
      places.contains { program.hasPrefix($0) }
    }.filter { !isExecutable($0) }.map { Violation(path, "shows \($0), which cannot be run") }
  }
}
