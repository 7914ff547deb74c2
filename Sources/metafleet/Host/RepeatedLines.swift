import Logging

/// Of lines with one cause three are written at once, and then one a minute with how many more there were: nobody fills
/// the journal, neither a broker that refuses everything nor sixty boards at once (fault F217). Pure.
///
/// The cause is the message without its fields: they name the board, the topic, the attempt. Debug lines are left
/// alone.
struct RepeatedLines: Sendable {
  static let window = Duration.seconds(60)
  /// Lines of one cause that are written before it is summed up: a person who tries something again sees each answer.
  static let mostAtOnce = 3
  /// Causes that are remembered; beyond, the one that ends first is let go of.
  static let mostCauses = 256

  private struct Cause: Hashable {
    var level: Logger.Level
    var message: String
  }

  private struct Window {
    var end: Duration
    var latest: LogLine
    var written = 0
    /// Since the last line that was written.
    var more = 0

    /// What stands for all that were not written.
    var summary: LogLine? {
      guard more > 0 else { return nil }
      var line = latest
      line.more = more
      return line
    }
  }

  private var windows: [Cause: Window] = [:]

  /// Takes a line. Returns what is to be written now.
  mutating func take(_ line: LogLine, at now: Duration) -> [LogLine] {
    var lines = due(at: now)
    guard line.level > .debug else { return lines + [line] }
    let cause = Cause(level: line.level, message: line.message)
    if windows[cause] == nil, windows.count >= Self.mostCauses { lines += endFirst() }
    var window = windows[cause] ?? Window(end: now + Self.window, latest: line)
    window.latest = line
    if window.written < Self.mostAtOnce {
      window.written += 1
      lines.append(line)
    } else {
      window.more += 1
    }
    windows[cause] = window
    return lines
  }

  /// What is to be written because a minute is over. A cause that goes on has one line a minute from then on.
  mutating func due(at now: Duration) -> [LogLine] {
    var lines: [LogLine] = []
    for (cause, window) in windows where window.end <= now {
      guard let summary = window.summary else {
        windows[cause] = nil
        continue
      }
      lines.append(summary)
      windows[cause] = Window(end: now + Self.window, latest: window.latest, written: Self.mostAtOnce)
    }
    return lines.sorted { $0.time < $1.time }
  }

  /// When something is to be written although nothing comes any more.
  var next: Duration? { windows.values.filter { $0.more > 0 }.map(\.end).min() }

  /// Ends all minutes. Returns what is to be written.
  mutating func finish() -> [LogLine] {
    defer { windows = [:] }
    return windows.values.compactMap(\.summary).sorted { $0.time < $1.time }
  }

  private mutating func endFirst() -> [LogLine] {
    guard let first = windows.min(by: { $0.value.end < $1.value.end }) else { return [] }
    windows[first.key] = nil
    return first.value.summary.map { [$0] } ?? []
  }
}
