import FleetModel

/// When a download that fell short is tried again (fault F34, F35). Pure.
struct LogRetry: Hashable, Sendable {
  /// Pauses before each further attempt: a board that was busy or at the edge of its range may be fine by then.
  static let pauses: [Duration] = [.seconds(30), .seconds(120), .seconds(480)]

  /// Attempts that fell short since the last one that did not.
  private(set) var failures = 0
  /// When the next attempt is due; nil = with the next visit.
  private(set) var next: Timestamp?

  init() {}

  /// A read-out is over. `isFinished`: the board said that nothing is left. Asking such a board again brings no more:
  /// what is missing is for a person, or for the next visit.
  mutating func ended(isComplete: Bool, isFinished: Bool, at now: Timestamp) {
    guard !isComplete else { return self = LogRetry() }
    guard !isFinished, failures < Self.pauses.count else {
      next = nil
      return
    }
    next = now + Self.pauses[failures]
    failures += 1
  }

  /// A visit begins anew.
  mutating func visited() { self = LogRetry() }

  /// Whether an attempt may be made.
  func allows(at now: Timestamp) -> Bool { next.map { $0 <= now } ?? true }
}
