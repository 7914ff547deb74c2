/// Removing all that a board was programmed with (protocol reference, section 32).
enum Teardown {
  /// Timers one by one, then all processors, events and loggers. Whose they are is not asked.
  static func commands(timers: [UInt8]) -> [[UInt8]] {
    timers.map(BoardTimer.remove) + [Processor.removeAll, EventEntry.removeAll, LoggerEntry.removeAll]
  }

  /// What makes a board like new once it has restarted: log stopped and emptied, programs and macros erased.
  ///
  /// The erasing of macros, and the restart, wait for the end of the link; an immediate restart might come before it
  /// (trap T39).
  static let factoryReset =
    [
      LogMemory.stop, LogMemory.clear, LoggerEntry.removeAll, EventEntry.removeAll, Processor.removeAll,
      Macro.eraseAll, Debug.resetWhenDisconnected,
    ]
}
