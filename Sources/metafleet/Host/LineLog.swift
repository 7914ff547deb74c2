import Dialects
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
    let now = Timestamp.system
    if event.level >= .warning { problems?.note(Self.dated(text, now)) }
    switch settings.configuration.format {
    case .text: Console.note(Self.isInJournal ? text : Self.dated(text, now))
    case .json:
      var line: JSONObject = [
        "ts_ms": .integer(now.milliseconds), "level": .string("\(event.level)"),
        "message": .string("\(event.message)"),
      ]
      for (key, value) in all { line[key] = .string("\(value)") }
      Console.note(JSONText.of(.object(line)))
    }
  }

  /// The journal has a time of its own for each line; systemd says so to what it starts.
  private static let isInJournal = getenv("JOURNAL_STREAM") != nil

  /// `2025-11-20T20:40:34.567Z warning: …`
  static func dated(_ text: String, _ time: Timestamp) -> String { "\(ClockText.utc(time)) \(text)" }
}
