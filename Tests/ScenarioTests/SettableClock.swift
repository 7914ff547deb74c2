import FleetModel
import Synchronization
import VirtualTime

/// The time of a world whose wall clock somebody sets.
final class SettableClock: Timekeeper {
  private let world: SeededWorld
  private let offset: Mutex<Duration>

  /// Shows `now` at first.
  init(_ world: SeededWorld, showing now: Timestamp) {
    self.world = world
    offset = Mutex(now - world.now)
  }

  var now: Timestamp { world.now + offset.withLock { $0 } }
  var uptime: Duration { world.uptime }

  func sleep(for duration: Duration) async throws(CancellationError) { try await world.sleep(for: duration) }

  /// It shows the world's time from now on, or one ahead of it.
  func set(ahead: Duration = .zero) { offset.withLock { $0 = ahead } }
}
