import BoardKit
import FleetModel
import Support
import Testing

@testable import Fleet

@Suite(.timeLimit(.minutes(20))) struct ConnectionSchedulerTests {
  private let clock = ManualClock()

  private func scheduler(adapters: Int = 1, places: Int? = nil) async -> ConnectionScheduler {
    let scheduler = ConnectionScheduler(timekeeper: clock, placesPerAdapter: places)
    for number in 1...adapters { await scheduler.update(.number(number), isUsable: true) }
    return scheduler
  }

  private func permit(_ scheduler: ConnectionScheduler, _ number: Int) async -> ConnectionSlotPlan.Grant? {
    await scheduler.permit(for: .number(number), pin: nil, failures: 0, purpose: .poll)
  }

  /// Returns once so many boards wait.
  private func waiting(_ count: Int, in scheduler: ConnectionScheduler) async {
    while await scheduler.waiting < count { await Task.yield() }
  }

  @Test func `F210 whatever changes at an adapter wakes who publishes it`() async throws {
    let changes = TaskWaker()
    let scheduler = ConnectionScheduler(timekeeper: clock, placesPerAdapter: 1, changes: changes)
    // Each sleep ends by what was done before it.
    await scheduler.update(.number(1), isUsable: true)
    await changes.sleep(atMost: nil, by: clock)
    for number in 1...2 { await scheduler.advertised(.number(number), by: .number(1), rssi: -60) }
    let grant = try #require(await permit(scheduler, 1))
    await changes.sleep(atMost: nil, by: clock)
    await scheduler.linkUp(grant)
    await changes.sleep(atMost: nil, by: clock)
    async let second = permit(scheduler, 2)
    await waiting(1, in: scheduler)
    await changes.sleep(atMost: nil, by: clock)
    await scheduler.withdraw(.number(2))
    await changes.sleep(atMost: nil, by: clock)
    #expect(await second == nil)
    await scheduler.linkEnded(grant)
    await changes.sleep(atMost: nil, by: clock)
    await scheduler.update(.number(1), isUsable: false)
    await changes.sleep(atMost: nil, by: clock)
    #expect(await scheduler.adapters[.number(1)]?.links == [])
  }

  @Test func `a heard board gets its permit at once`() async {
    let scheduler = await scheduler()
    await scheduler.advertised(.number(1), by: .number(1), rssi: -60)
    #expect(await permit(scheduler, 1) == .init(board: .number(1), adapter: .number(1)))
    #expect(await scheduler.adapters[.number(1)]?.connecting == .number(1))
  }

  @Test func `an advertisement serves who waits`() async {
    let scheduler = await scheduler()
    async let grant = permit(scheduler, 1)
    await waiting(1, in: scheduler)
    await scheduler.advertised(.number(1), by: .number(1), rssi: nil)
    #expect(await grant != nil)
  }

  @Test func `the end of an attempt serves the next`() async throws {
    let scheduler = await scheduler()
    for number in 1...2 { await scheduler.advertised(.number(number), by: .number(1), rssi: -60) }
    let first = try #require(await permit(scheduler, 1))
    async let second = permit(scheduler, 2)
    await waiting(1, in: scheduler)
    await scheduler.attemptFailed(first, LinkFailure(.refused, "not today"))
    #expect(await second?.board == .number(2))
    let statistics = await scheduler.statistics[.number(1)]
    #expect(
      statistics?.connectsFailed == 1 && statistics?.connectsOK == 0
        && statistics?.lastError == StatedReason(.refused, "not today"))
    #expect(statistics?.lastErrorTime == clock.now)
  }

  @Test func `more places serve who waits; fewer end no link`() async throws {
    let scheduler = await scheduler(places: 1)
    for number in 1...2 { await scheduler.advertised(.number(number), by: .number(1), rssi: -60) }
    await scheduler.linkUp(try #require(await permit(scheduler, 1)))
    async let second = permit(scheduler, 2)
    await waiting(1, in: scheduler)
    await scheduler.change(placesPerAdapter: 2)
    await scheduler.linkUp(try #require(await second))
    await scheduler.change(placesPerAdapter: 1)
    #expect(await scheduler.adapters[.number(1)]?.links.count == 2)
    await scheduler.change(placesPerAdapter: nil)
    #expect(await scheduler.adapters[.number(1)]?.limit == ConnectionSlotPlan.optimisticLimit)
  }

  @Test func `the end of a link serves the next`() async throws {
    let scheduler = await scheduler(places: 1)
    for number in 1...2 { await scheduler.advertised(.number(number), by: .number(1), rssi: -60) }
    let first = try #require(await permit(scheduler, 1))
    await scheduler.linkUp(first)
    async let second = permit(scheduler, 2)
    await waiting(1, in: scheduler)
    await scheduler.linkEnded(first)
    #expect(await second?.board == .number(2))
    #expect(await scheduler.statistics[.number(1)]?.connectsOK == 1)
  }

  @Test func `a returning adapter serves who waits`() async {
    let scheduler = await scheduler()
    await scheduler.update(.number(1), isUsable: false)
    await scheduler.advertised(.number(1), by: .number(1), rssi: -60)
    async let grant = permit(scheduler, 1)
    await waiting(1, in: scheduler)
    await scheduler.update(.number(1), isUsable: true)
    #expect(await grant != nil)
  }

  @Test func `F22 a refusal for want of places is learned`() async throws {
    let scheduler = await scheduler()
    await scheduler.advertised(.number(1), by: .number(1), rssi: -60)
    let grant = try #require(await permit(scheduler, 1))
    await scheduler.attemptFailed(grant, LinkFailure(.noSlots, "full"))
    #expect(await scheduler.adapters[.number(1)]?.learned?.links == 1)
  }

  @Test func `a withdrawn request ends without a permit`() async {
    let scheduler = await scheduler()
    async let grant = permit(scheduler, 1)
    await waiting(1, in: scheduler)
    await scheduler.withdraw(.number(1))
    #expect(await grant == nil)
    #expect(await scheduler.waiting == 0)
  }

  @Test func `asking twice ends the first request`() async {
    let scheduler = await scheduler()
    async let first = permit(scheduler, 1)
    await waiting(1, in: scheduler)
    async let second = permit(scheduler, 1)
    #expect(await first == nil)
    await waiting(1, in: scheduler)
    await scheduler.advertised(.number(1), by: .number(1), rssi: -60)
    #expect(await second != nil)
  }

  @Test func `F163 time alone serves who waits for the best adapter`() async {
    let scheduler = await scheduler(adapters: 2)
    await scheduler.advertised(.number(1), by: .number(2), rssi: -60)
    clock.advance(by: AdapterChoice.listening / 2)
    await scheduler.advertised(.number(2), by: .number(2), rssi: -60)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await scheduler.run() }
      group.addTask { _ = await permit(scheduler, 2) }
      // It sleeps until the second board's time, which is the later one, when the first begins to wait.
      await clock.sleepers()
      async let grant = permit(scheduler, 1)
      await waiting(2, in: scheduler)
      #expect(await scheduler.queue(for: .number(2)).requests.map(\.purpose) == ["poll", "poll"])
      #expect(await scheduler.queue(for: .number(1)) == ConnectionQueue(waiting: 2))
      await clock.sleepers(within: AdapterChoice.listening / 2)
      clock.advance(by: AdapterChoice.listening / 2)
      #expect(await grant == .init(board: .number(1), adapter: .number(2)))
      group.cancelAll()
    }
  }

  @Test func `I14 a waiter that was cancelled does not hold the adapter`() async {
    let scheduler = await scheduler()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { #expect(await permit(scheduler, 1) == nil) }
      await waiting(1, in: scheduler)
      group.cancelAll()
    }
    #expect(await scheduler.waiting == 0)
    for number in 1...2 { await scheduler.advertised(.number(number), by: .number(1), rssi: -60) }
    #expect(await permit(scheduler, 2) != nil)
  }
}
