import Synchronization

/// Whether a sender still holds the other end.
final class OpenSocket: Sendable {
  private let open = Atomic(true)
  var isOpen: Bool { open.load(ordering: .relaxed) }
  func end() { open.store(false, ordering: .relaxed) }
}
