import FleetModel

/// How far the supervisor's own end has come.
struct SupervisorLife {
  var isRetired = false
  /// Because the gateway stops.
  var isStopping = false
  var isFinished = false
  /// Ended with it.
  var waiters: [AsyncStream<Void>.Continuation] = []

  /// Why it takes no commands any more; nil while it does.
  var retirement: CommandFailure? {
    guard isRetired else { return nil }
    return CommandFailure(
      .unreachable, isStopping ? "the gateway is stopping" : "the board was forgotten meanwhile")
  }
}
