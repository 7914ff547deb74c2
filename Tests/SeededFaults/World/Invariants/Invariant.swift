/// One of the fault matrix's invariants, checked from outside while a fleet lives. Pure: observations in, the words
/// of a violation out.
protocol Invariant: Sendable {
  /// Looks at what happened. Returns what is wrong.
  mutating func observe(_ observation: Observation, at moment: Moment) -> String?

  /// Looks back when all is over and healthy. Returns what is wrong.
  func review(at moment: Moment) -> String?
}

extension Invariant {
  func review(at moment: Moment) -> String? { nil }
}

/// A violated invariant.
struct InvariantViolation: Sendable, CustomStringConvertible {
  var invariant: String
  var words: String
  var at: Duration

  var description: String { "\(invariant) at \(at): \(words)" }
}
