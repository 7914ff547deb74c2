import Synchronization

/// The histograms of a gateway since its process started. Shared between executors, as counters are; whoever notes a
/// value does so once for a batch, not for a sample.
public final class Distributions: Sendable {
  private let histograms: Mutex<[Histogram]>
  /// Says in atomics what the lock says, which ThreadSanitizer does not see on Linux.
  private let turnstile = Atomic<Bool>(false)

  /// All empty.
  public init() { histograms = Mutex(Distribution.allCases.map { Histogram(bounds: $0.bounds) }) }

  /// Takes a time that occurred so many times.
  public func note(_ time: Duration, times: Int = 1, in distribution: Distribution) {
    withLock { $0[distribution.rawValue].note(time.inSeconds, times: times) }
  }

  /// What was noted so far.
  public func histogram(of distribution: Distribution) -> Histogram {
    withLock { $0[distribution.rawValue] }
  }

  private func withLock<Result: Sendable>(_ body: (inout [Histogram]) -> Result) -> Result {
    histograms.withLock { histograms in
      _ = turnstile.load(ordering: .acquiring)
      defer { turnstile.store(true, ordering: .releasing) }
      return body(&histograms)
    }
  }
}
