import Synchronization

/// A value that threads use one at a time: a `Mutex` that ThreadSanitizer understands.
///
/// The runtime's own lock is invisible to the tool on Linux, which would report every value behind it. The turnstile
/// says the same in atomics, which it does see, and costs a nanosecond.
package struct Guarded<Value: Sendable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let turnstile = Atomic<Bool>(false)

  package init(_ value: Value) { mutex = Mutex(value) }

  package func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try mutex.withLock { value throws(Failure) in
      _ = turnstile.load(ordering: .acquiring)
      defer { turnstile.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
