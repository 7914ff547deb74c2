import Glibc
import Synchronization

/// A file descriptor that travels in messages. It is closed once, when the last reference goes, unless somebody
/// took it over.
package final class DBusDescriptor: Sendable {
  private let number: Atomic<Int32>

  /// Takes ownership of `number`.
  package init(owning number: Int32) { self.number = Atomic(number) }

  deinit {
    let left = number.load(ordering: .relaxed)
    if left >= 0 { close(left) }
  }

  /// Hands the descriptor over to the caller, who closes it; nil for everyone but the first.
  package func take() -> Int32? {
    let taken = number.exchange(-1, ordering: .relaxed)
    return taken >= 0 ? taken : nil
  }

  /// For use while this object lives; nil after `take`.
  var borrowed: Int32? {
    let current = number.load(ordering: .relaxed)
    return current >= 0 ? current : nil
  }
}

extension DBusDescriptor: Hashable {
  package static func == (one: DBusDescriptor, other: DBusDescriptor) -> Bool { one === other }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
