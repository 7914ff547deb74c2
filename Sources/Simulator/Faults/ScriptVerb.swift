/// A command of scripts: of those that say what goes wrong, or of those that say what somebody does with boards.
protocol ScriptVerb: RawRepresentable<String> {
  /// How it is written.
  var form: String { get }
}

extension ScriptVerb {
  /// What one of several words may be.
  static func alternatives<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type) -> String {
    Choice.allCases.map(\.rawValue).joined(separator: "|")
  }
}
