import EventLoops

/// Tells systemd that the daemon goes on, while it does: each part is gone around again and again, also when it has
/// nothing to do, and systemd is told when all came back (fault F98).
///
/// Its tasks run where those of the gateway do, so that threads which all wait for each other end this, too.
struct Watchdog: Sendable {
  private let trip: @Sendable (ProgressProof.Part) async -> Void
  private let pause: @Sendable () async throws -> Void
  private let feed: @Sendable () -> Void

  /// `trip` goes once around a part; `pause` is what comes before the next time, and throws when it is cancelled;
  /// `feed` tells systemd.
  init(
    around trip: @escaping @Sendable (ProgressProof.Part) async -> Void,
    pause: @escaping @Sendable () async throws -> Void, feed: @escaping @Sendable () -> Void
  ) {
    (self.trip, self.pause, self.feed) = (trip, pause, feed)
  }

  /// Works until it is cancelled. A part that stands still holds up the end.
  func run() async {
    let proof = SharedProof()
    await withDiscardingTaskGroup { group in
      for part in ProgressProof.Part.allCases {
        group.addTask {
          while !Task.isCancelled {
            await trip(part)
            if proof.turn(part) { feed() }
            do { try await pause() } catch { return }
          }
        }
      }
    }
  }
}

/// A proof that several tasks add to.
private final class SharedProof: Sendable {
  private let proof = Guarded(ProgressProof())

  /// Whether all have gone around, this part with them.
  func turn(_ part: ProgressProof.Part) -> Bool {
    proof.withLock {
      $0.turn(part)
      return $0.take()
    }
  }
}
