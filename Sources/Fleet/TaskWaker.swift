package import FleetModel

/// Lets one task sleep until a time or until somebody has something for it, whichever is first.
///
/// A wake while nobody sleeps spares the next sleeper its sleep, so nothing that happened in between is slept over.
/// Sleepers must come one at a time, and must be ready to find nothing new. Once a sleeper's task was cancelled the
/// waker is spent: every sleep returns at once.
package struct TaskWaker: Sendable {
  private let signal: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  package init() {
    (signal, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Wakes the sleeper.
  package func wake() { continuation.yield() }

  /// Sleeps at most `limit`; nil = until woken.
  package func sleep(atMost limit: Duration?, by timekeeper: any Timekeeper) async {
    guard let limit else { return await woken() }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          try await timekeeper.sleep(for: limit)
          wake()
        } catch {}
      }
      await woken()
      group.cancelAll()
    }
  }

  private func woken() async {
    var wakes = signal.makeAsyncIterator()
    _ = await wakes.next(isolation: #isolation)
  }
}
