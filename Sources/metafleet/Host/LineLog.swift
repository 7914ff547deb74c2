import FleetModel
import Glibc
import Logging

/// Log lines on standard error, as text for people and the journal or as JSON for collectors. A line stays one line,
/// whatever is in it.
struct LineLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  private let settings: LogSettings
  /// A level that somebody set for this logger alone.
  private var ownLevel: Logger.Level?
  /// Hears of warnings and errors.
  let problems: RecentProblems?

  init(_ settings: LogSettings, problems: RecentProblems? = nil) {
    self.settings = settings
    self.problems = problems
  }

  var logLevel: Logger.Level {
    get {
      if let ownLevel { return ownLevel }
      return switch settings.configuration.level {
      case .error: .error
      case .warning: .warning
      case .info: .info
      case .debug: .debug
      }
    }
    set { ownLevel = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }.sorted { $0.key < $1.key }
    let fields = all.map { " \($0.key)=\(printable("\($0.value)"))" }.joined()
    let text = "\(event.level): \(printable("\(event.message)"))\(fields)"
    if event.level >= .warning { problems?.note("\(Timestamp.system.milliseconds) \(text)") }
    switch settings.configuration.format {
    case .text: Console.note(text)
    case .json:
      var line: JSONObject = [
        "ts_ms": .integer(Timestamp.system.milliseconds), "level": .string("\(event.level)"),
        "message": .string("\(event.message)"),
      ]
      for (key, value) in all { line[key] = .string("\(value)") }
      Console.note(JSONText.of(.object(line)))
    }
  }
}
