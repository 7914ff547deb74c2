import FleetModel
import Support
import Testing

@testable import Fleet

@Suite(.timeLimit(.minutes(10))) struct AlarmTests {
  private let clock = ManualClock()
  private let alarm = Alarm()

  @Test func aRingWakesTheSleeper() async {
    async let awake: Void = alarm.sleep(atMost: nil, by: clock)
    alarm.ring()
    await awake
  }

  @Test func aRingBeforehandSparesTheSleep() async {
    alarm.ring()
    await alarm.sleep(atMost: nil, by: clock)
  }

  @Test("a ring beforehand spares the sleep with a limit, and its timer")
  func ringBeforeALimit() async {
    alarm.ring()
    await alarm.sleep(atMost: .seconds(60), by: clock)
    #expect(clock.uptime == .zero)
  }

  @Test func rungTwiceIsAwakeOnce() async {
    alarm.ring()
    alarm.ring()
    await alarm.sleep(atMost: nil, by: clock)
    async let second: Void = alarm.sleep(atMost: .seconds(5), by: clock)
    await clock.sleepers()
    clock.advance(by: .seconds(5))
    await second
  }

  @Test func theLimitWakes() async {
    async let awake: Void = alarm.sleep(atMost: .seconds(5), by: clock)
    await clock.sleepers()
    clock.advance(by: .seconds(5))
    await awake
    #expect(clock.uptime == .seconds(5))
  }

  @Test func aRingIsBeforeTheLimit() async {
    async let awake: Void = alarm.sleep(atMost: .seconds(60), by: clock)
    await clock.sleepers()
    alarm.ring()
    await awake
    #expect(clock.uptime == .zero)
  }

  @Test("the timer of one sleep does not end the next one")
  func timersDoNotLeak() async {
    async let first: Void = alarm.sleep(atMost: .seconds(5), by: clock)
    await clock.sleepers()
    alarm.ring()
    await first
    async let second: Void = alarm.sleep(atMost: .seconds(60), by: clock)
    await clock.sleepers()
    clock.advance(by: .seconds(59))
    await clock.sleepers()
    clock.advance(by: .seconds(1))
    await second
    #expect(clock.uptime == .seconds(60))
  }

  @Test("a limit that has passed already wakes at once", arguments: [Duration.zero, .seconds(-5)])
  func pastLimits(limit: Duration) async { await alarm.sleep(atMost: limit, by: clock) }

  @Test("cancelling the sleeper's task wakes it, and spends the alarm")
  func cancellation() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await alarm.sleep(atMost: .seconds(60), by: clock) }
      await clock.sleepers()
      group.cancelAll()
    }
    await alarm.sleep(atMost: nil, by: clock)
    #expect(clock.uptime == .zero)
  }
}
