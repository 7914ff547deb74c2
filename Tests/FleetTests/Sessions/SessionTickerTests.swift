import Support
import Synchronization
import Testing
import VirtualTime

@testable import Fleet

@Suite struct SessionTickerTests {
  @Test func `it rests while there is nobody to tick for`() {
    let world = SeededWorld(seed: 1)
    let ticker = SessionTicker(of: ToyRadio(world: world), timekeeper: world, deliver: { _ in })
    _ = world.run(atMost: .seconds(86_401)) {
      await withTaskGroup { group in
        group.addTask { await ticker.run() }
        try? await world.sleep(for: .seconds(86_400))
        group.cancelAll()
      }
    }
    #expect(world.jobsRun < 100)
  }

  @Test func `between two beats it pauses as the radio of its sessions says`() throws {
    let pauses = try SupervisorRig.play { rig in
      try? await rig.world.sleep(for: .seconds(60))
      return rig.radio.pauses.withLock { $0 }
    }
    let periods = try #require(pauses)
    #expect(periods.count > 100 && Set(periods) == [SessionTicker.period])
  }
}
