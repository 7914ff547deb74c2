package import Storage

extension LogLedger {
  /// Entries that made no samples when their turn came, because nobody knew their loggers; all of them where nobody
  /// knows any logger of the session.
  package var undecoded: Int {
    if session.streams.isEmpty { return session.stored }
    return LogLaneState(lane)?.unknown.values.reduce(0, +) ?? 0
  }
}
