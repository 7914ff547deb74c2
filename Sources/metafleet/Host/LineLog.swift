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
  private let writer: LogWriter?

  /// Without a writer each line is written at once, by whoever says it.
  init(_ settings: LogSettings, problems: RecentProblems? = nil, writer: LogWriter? = nil) {
    self.settings = settings
    self.problems = problems
    self.writer = writer
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
    let line = LogLine(
      level: event.level, message: "\(event.message)",
      fields: all.map { .init(name: $0.key, value: "\($0.value)") },
      time: .system)
    if let writer { return writer.take(line) }
    if line.level >= .warning { problems?.note(line.text(.text)) }
    Console.note(line.text(settings.configuration.format, isDated: !Self.isInJournal))
  }

  /// The journal has a time of its own for each line; systemd says so to what it starts.
  static let isInJournal = getenv("JOURNAL_STREAM") != nil

  /// `2025-11-20T20:40:34.567Z warning: …`
  static func dated(_ text: String, _ time: Timestamp) -> String { "\(ClockText.utc(time)) \(text)" }
}
