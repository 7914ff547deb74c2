import FleetModel

/// What is known of a stream that brings nothing. Pure.
struct StreamSilence: Hashable, Sendable {
  /// Whether it was started, must deliver by itself, and has not yet: nobody knows then that the board does it.
  var isAwaited = false
  /// Whether its silence has been told.
  var isTold = false
  /// Why no sample of a polled stream came yet.
  var pollFailure: CommandFailure?
  /// Whether everything was started once more for it.
  private var isRestarted = false

  /// Samples come.
  mutating func end() { (isAwaited, isTold, pollFailure) = (false, false, nil) }

  /// Gives the board one more chance, in which samples are `isAwaited`. Returns false when it had it.
  mutating func restart(isAwaited: Bool) -> Bool {
    guard !isRestarted else { return false }
    (isRestarted, self.isAwaited) = (true, isAwaited)
    return true
  }

  /// What keeps the stream from being what was wanted, as far as that is known. `patience`: how long one that must deliver
  /// may be silent; nil for one that need not.
  func failure(of patience: Duration?) -> CommandFailure? {
    guard isTold, let patience else { return pollFailure }
    return CommandFailure(
      .boardError,
      "no sample came for \(DurationText.format(patience)), and again none after everything was "
        + "started once more; reset the board")
  }
}
