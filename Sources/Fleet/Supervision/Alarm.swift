import FleetModel

/// Lets one task of an actor sleep until a time or until the actor has something for it, whichever is first.
///
/// Confined to its actor. A ring while nobody waits is remembered, so nothing that happened in between is slept over.
final class Alarm {
  private var sleeper: CheckedContinuation<Void, Never>?
  private var hasRung = false

  /// Wakes the sleeper, or spares the next one its sleep.
  func ring() {
    if let sleeper {
      self.sleeper = nil
      sleeper.resume()
    } else {
      hasRung = true
    }
  }

  /// Sleeps at most `limit` (nil = until rung). `ring` must ring this alarm on its actor. Returns at once when the
  /// task is cancelled.
  func sleep(
    atMost limit: Duration?, by timekeeper: any Timekeeper, ring: @escaping @Sendable () async -> Void
  ) async {
    if hasRung {
      hasRung = false
      return
    }
    if let limit, limit <= .zero { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        // Without a limit the child only waits to be cancelled: a year is as good as for ever.
        do { try await timekeeper.sleep(for: limit ?? .seconds(31_536_000)) } catch {}
        await ring()
      }
      await withCheckedContinuation { continuation in
        if hasRung { continuation.resume() } else { sleeper = continuation }
      }
      group.cancelAll()
    }
    // The child's own ring may come after ours; it must not spare the next sleep.
    hasRung = false
  }
}
