import Testing

@testable import Simulator

struct SimulatedClockTests {
  @Test func `It runs at its speed and never backwards`() {
    var clock = SimulatedClock(speed: 20)
    clock.advance(to: .milliseconds(50), due: nil)
    #expect(clock.now == .seconds(1))
    clock.advance(to: .milliseconds(40), due: nil)
    #expect(clock.now == .seconds(1))
    clock.advance(to: .milliseconds(100), due: .seconds(50))
    #expect(clock.now == .seconds(2))
  }

  private func isAbout(_ one: Duration, _ other: Duration) -> Bool {
    one - other < .microseconds(1) && other - one < .microseconds(1)
  }

  @Test func `It waits for a world that was suspended, not for one that had nothing to do`() {
    var clock = SimulatedClock(speed: 2)
    clock.advance(to: .seconds(3600), due: nil)
    #expect(clock.now == .seconds(7200))
    clock.advance(to: .seconds(7200), due: .seconds(7300))
    #expect(isAbout(clock.now, .seconds(7300) + .milliseconds(200)))
    clock.advance(to: .seconds(7200) + .milliseconds(10), due: nil)
    #expect(isAbout(clock.now, .seconds(7300) + .milliseconds(220)))
  }
}
