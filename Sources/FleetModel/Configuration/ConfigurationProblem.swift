/// Something wrong with the configuration file: where it is, how bad it is, and what to do about it.
public struct ConfigurationProblem: Error, Hashable, Sendable {
  /// How bad it is.
  public enum Severity: String, Sendable {
    /// The file is not used.
    case error
    /// The file is used; something in it has no effect, or is perhaps not meant.
    case warning
  }

  /// The key, such as `boards[0].profile`; empty when it is about the whole file.
  public var path: String
  /// Line from 1; nil when it is about the whole file.
  public var line: Int?
  /// Column from 1, in Unicode scalars.
  public var column: Int?
  /// How bad it is.
  public var severity: Severity
  /// One sentence for a person: what is wrong and what to do.
  public var text: String

  /// Describes a problem.
  public init(_ severity: Severity, path: String = "", line: Int? = nil, column: Int? = nil, _ text: String) {
    self.severity = severity
    self.path = path
    self.line = line
    self.column = column
    self.text = text
  }

  /// One line as compilers print it: `file:line:column: severity: sentence`.
  public func report(in file: String) -> String {
    let place = [line, column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(file)\(place): \(severity.rawValue): \(text)"
  }
}

extension [ConfigurationProblem] {
  /// Whether the file cannot be used.
  public var hasErrors: Bool { contains { $0.severity == .error } }
}
