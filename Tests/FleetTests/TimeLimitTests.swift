import FleetModel
import Testing
import VirtualTime

@testable import Fleet

@Suite struct TimeLimitTests {
  @Test func `F203 work is kept within its time, and whether it was over is told`() throws {
    let world = SeededWorld(seed: 1)
    let outcome = world.run {
      let short = await TimeLimit.keep(.seconds(10), by: world) { try? await world.sleep(for: .seconds(3)) }
      let middle = world.uptime
      let long = await TimeLimit.keep(.seconds(10), by: world) {
        try? await world.sleep(for: .seconds(3_600))
      }
      return (short, middle, long, world.uptime - middle)
    }
    let (short, middle, long, span) = try #require(outcome)
    #expect(short && middle == .seconds(3))
    #expect(!long && span == .seconds(10))
  }
}
