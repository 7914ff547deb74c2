package import FleetModel

/// What a server has done about where it listens, and when it wants to go on. Pure.
package struct ListenReport: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    /// Requests are awaited there.
    case listening(ListenAddress)
    /// Nothing is served any more.
    case closed
    /// What is wanted cannot be had; at `serving` it goes on as before.
    case failed(ListenFailure, serving: ListenAddress?)
  }

  /// nil: nothing changed.
  package var change: Change?
  /// Whether the same was reported before, of the same configuration.
  package var isRepeated = false
  /// How long until something is to be done again; nil: not before another configuration counts.
  package var pause: Duration?

  /// What is missing of what the configuration wants, in a sentence.
  package var trouble: String? {
    guard case .failed(let failure, let serving) = change else { return nil }
    let meanwhile = serving.map { "requests are answered at \($0) until then" }
    return "\(failure); it is tried again by itself" + (meanwhile.map { ", and \($0)" } ?? "")
  }
}
