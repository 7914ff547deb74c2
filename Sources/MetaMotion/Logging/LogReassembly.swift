/// Puts samples together again that several loggers wrote down in parts (protocol reference, section 16.6).
struct LogReassembly: Sendable {
  /// A sample in one piece.
  struct Sample: Hashable, Sendable {
    /// Of its first part; the others are of the same moment.
    var tick: UInt32
    var resetID: UInt8
    /// All its parts, in whole chunks.
    var bytes: [UInt8]
  }

  /// Slots in the order of the parts.
  private let loggers: [UInt8]
  private var waiting: [UInt8: [LogRecord]] = [:]

  init(loggers: [UInt8]) { self.loggers = loggers }

  /// Takes an entry; yields a sample when that completes one. Entries are paired by their order, since two samples may
  /// carry the same tick.
  mutating func take(_ record: LogRecord) -> Sample? {
    guard loggers.contains(record.logger) else { return nil }
    waiting[record.logger, default: []].append(record)
    let parts = loggers.compactMap { waiting[$0]?.first }
    guard parts.count == loggers.count, let first = parts.first else { return nil }
    for logger in loggers { waiting[logger]?.removeFirst() }
    return Sample(tick: first.tick, resetID: first.resetID, bytes: parts.flatMap(\.data))
  }
}
