import FleetModel
import Support
import Testing

@testable import Fleet

@Suite(.timeLimit(.minutes(20))) struct TaskWakerTests {
  private let clock = ManualClock()
  private let waker = TaskWaker()

  @Test func `a ring wakes the sleeper`() async {
    async let awake: Void = waker.sleep(atMost: nil, by: clock)
    waker.wake()
    await awake
  }

  @Test func `a ring beforehand spares the sleep`() async {
    waker.wake()
    await waker.sleep(atMost: nil, by: clock)
  }

  @Test func `a wake beforehand spares the sleep with a limit, and its timer`() async {
    waker.wake()
    await waker.sleep(atMost: .seconds(60), by: clock)
    #expect(clock.uptime == .zero)
  }

  @Test func `rung twice is awake once`() async {
    waker.wake()
    waker.wake()
    await waker.sleep(atMost: nil, by: clock)
    async let second: Void = waker.sleep(atMost: .seconds(5), by: clock)
    await clock.sleepers()
    clock.advance(by: .seconds(5))
    await second
  }

  @Test func `the limit wakes`() async {
    async let awake: Void = waker.sleep(atMost: .seconds(5), by: clock)
    await clock.sleepers()
    clock.advance(by: .seconds(5))
    await awake
    #expect(clock.uptime == .seconds(5))
  }

  @Test func `a ring is before the limit`() async {
    async let awake: Void = waker.sleep(atMost: .seconds(60), by: clock)
    await clock.sleepers()
    waker.wake()
    await awake
    #expect(clock.uptime == .zero)
  }

  @Test func `the timer of one sleep does not end the next one`() async {
    async let first: Void = waker.sleep(atMost: .seconds(5), by: clock)
    await clock.sleepers()
    waker.wake()
    await first
    async let second: Void = waker.sleep(atMost: .seconds(60), by: clock)
    await clock.sleepers()
    clock.advance(by: .seconds(59))
    await clock.sleepers()
    clock.advance(by: .seconds(1))
    await second
    #expect(clock.uptime == .seconds(60))
  }

  @Test(arguments: [Duration.zero, .seconds(-5)])
  func `a limit that has passed already wakes at once`(limit: Duration) async {
    await waker.sleep(atMost: limit, by: clock)
  }

  @Test func `cancelling the sleeper's task wakes it, and spends the waker`() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await waker.sleep(atMost: .seconds(60), by: clock) }
      await clock.sleepers()
      group.cancelAll()
    }
    await waker.sleep(atMost: nil, by: clock)
    #expect(clock.uptime == .zero)
  }
}
