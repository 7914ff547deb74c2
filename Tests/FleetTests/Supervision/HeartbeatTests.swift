import Support
import Testing
import VirtualTime

@testable import Fleet

@Suite struct HeartbeatTests {
  @Test func `it rests while there is nobody to beat for`() {
    let world = SeededWorld(seed: 1)
    let heartbeat = Heartbeat(
      on: world, timekeeper: world,
      pause: { duration async throws(CancellationError) in try await world.sleep(for: duration) },
      deliver: { _ in })
    _ = world.run(atMost: .seconds(86_401)) {
      await withTaskGroup { group in
        group.addTask { await heartbeat.run() }
        try? await world.sleep(for: .seconds(86_400))
        group.cancelAll()
      }
    }
    #expect(world.jobsRun < 100)
  }
}
