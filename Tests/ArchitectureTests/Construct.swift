/// What must not spread: each occurrence in `Sources` stands in the list of allowances, or is a mistake.
enum Construct: String, CaseIterable {
  case task = "an unstructured task"
  case forcedTry = "try!"
  case forcedCast = "as!"
  case forcedUnwrap = "a forced unwrap"
  case fatalError = "fatalError"
  case precondition = "precondition"
  case unchecked = "@unchecked"
  case isolationWaiver = "nonisolated(unsafe)"
  case unsafe = "an unsafe construct"
  /// One thread sets it, and all others have it.
  case processWide = "a setting of the whole process"

  func count(in file: SourceFile) -> Int {
    switch self {
    case .task: Self.tasks(in: file)
    case .forcedTry: file.count(of: "try", "!")
    case .forcedCast: file.count(of: "as", "!")
    case .forcedUnwrap: Self.forcedUnwraps(in: file)
    case .fatalError: file.count(of: "fatalError")
    case .precondition: file.count { Self.assertions.contains($0) }
    case .unchecked: file.count(of: "@", "unchecked")
    case .isolationWaiver: file.count(of: "nonisolated", "(", "unsafe")
    case .unsafe: file.count { Self.isUnsafe($0) } + file.count(of: "unowned", "(", "unsafe")
    case .processWide: Self.processWideCalls.reduce(0) { $0 + file.count(of: $1, "(") }
    }
  }

  private static let assertions: Set<String> = [
    "assert", "assertionFailure", "precondition", "preconditionFailure",
  ]

  private static let processWideCalls: Set<String> = [
    "umask", "chdir", "changeCurrentDirectoryPath", "setenv", "unsetenv", "putenv", "setlocale",
  ]

  private static func isUnsafe(_ word: String) -> Bool {
    word.contains("Unsafe") || word.hasPrefix("unsafe") && word != "unsafe" || word == "Unmanaged"
      || word == "OpaquePointer"
  }

  /// `Task {`, `Task(…`, `Task<…> {`, `Task.detached`, `Task.immediate`.
  private static func tasks(in file: SourceFile) -> Int {
    file.positions(of: "Task").count { index in
      switch file.token(index + 1)?.text {
      case "{", "(": return true
      case ".": return ["detached", "immediate"].contains(file.token(index + 2)?.text)
      case "<":
        guard let close = file.code[index...].firstIndex(where: { $0.text == ">" }) else { return false }
        return ["{", "("].contains(file.token(close + 1)?.text)
      default: return false
      }
    }
  }

  /// A `!` right behind a value, and no `!=`.
  private static func forcedUnwraps(in file: SourceFile) -> Int {
    file.positions(of: "!").count { index in
      guard file.code[index].isGlued, file.token(index + 1)?.text != "=",
        let last = file.token(index - 1)?.text, last != "try", last != "as"
      else { return false }
      return last == ")" || last == "]" || last.first.map { $0.isLetter || $0.isNumber || $0 == "_" } == true
    }
  }
}
