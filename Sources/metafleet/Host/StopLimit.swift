import Fleet
import FleetModel
import Synchronization

/// Sees to it that a stop comes to an end (fault F203). What hangs then, a disk, a bus or a daemon that does not
/// answer, is left as a crash leaves it, which all that is kept survives.
final class StopLimit: Sendable {
  /// What is done about a stop that takes too long.
  struct Expiry: Equatable {
    /// For the log.
    var sentence: String
    /// How the process ends.
    var status: ExitStatus
  }

  /// Calls back after a time, whatever all else does meanwhile.
  typealias Schedule = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  private enum State { case working, stopping(StopStep), over }

  /// Of the 20 s that a stop may take; the rest is for the last lines of the log.
  static let longest = Duration.seconds(17)

  private let state = Mutex(State.working)
  private let schedule: Schedule
  private let expire: @Sendable (Expiry) -> Void

  /// `expire` ends the process.
  init(_ schedule: @escaping Schedule, expire: @escaping @Sendable (Expiry) -> Void) {
    (self.schedule, self.expire) = (schedule, expire)
  }

  /// The stop is at a step; with its first one the time begins.
  func note(_ step: StopStep) {
    let isFirst = state.withLock { state -> Bool in
      switch state {
      case .over: return false
      case .working, .stopping:
        defer { state = .stopping(step) }
        if case .working = state { return true }
        return false
      }
    }
    if isFirst { schedule(Self.longest) { self.expireIfLate() } }
  }

  /// It came to its end.
  func end() { state.withLock { $0 = .over } }

  private func expireIfLate() {
    guard case .stopping(let step) = state.withLock({ $0 }) else { return }
    expire(Self.expiry(at: step))
  }

  static func expiry(at step: StopStep) -> Expiry {
    Expiry(
      sentence:
        "the stop has taken \(DurationText.format(longest)) and is given up: \(step.hindrance)",
      status: step == .tasks ? .ok : .internal)
  }
}
