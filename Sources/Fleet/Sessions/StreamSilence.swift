import FleetModel

/// What is known of a stream that brings nothing. Pure.
struct StreamSilence: Hashable, Sendable {
  /// Whether it was started, must deliver by itself, and has not yet: nobody knows then that the board does it.
  var isAwaited = false
  /// Whether its silence has been reported.
  var isReported = false
  /// Why no sample of a polled stream came yet.
  var pollFailure: CommandFailure?
  /// Whether everything was started once more for it.
  private var isRestarted = false

  /// Samples come.
  mutating func end() { (isAwaited, isReported, pollFailure) = (false, false, nil) }

  /// Gives the board one more chance, in which samples are `isAwaited`. Returns false when it had it.
  mutating func restart(isAwaited: Bool) -> Bool {
    guard !isRestarted else { return false }
    (isRestarted, self.isAwaited) = (true, isAwaited)
    return true
  }

  /// What keeps the stream from being what was wanted, as far as that is known. `timeout`: how long one that must
  /// deliver may be silent; nil for one that need not.
  func failure(of timeout: Duration?) -> CommandFailure? {
    guard isReported, let timeout else { return pollFailure }
    return CommandFailure(
      .boardError,
      "no sample was received for \(DurationText.format(timeout)), and none after all streams were "
        + "restarted; reset the board")
  }
}
