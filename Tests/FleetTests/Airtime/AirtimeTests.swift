import BoardKit
import FleetModel
import Support
import Testing

@testable import Fleet

@Suite(.timeLimit(.minutes(10))) struct AirtimeTests {
  private let clock = ManualClock()

  private func airtime(adapters: Int = 1, places: Int? = nil) async -> Airtime {
    let airtime = Airtime(timekeeper: clock, placesPerAdapter: places)
    for number in 1...adapters { await airtime.update(.number(number), isUsable: true) }
    return airtime
  }

  private func permit(_ airtime: Airtime, _ number: Int) async -> AirtimePlan.Grant? {
    await airtime.permit(for: .number(number), pin: nil, failures: 0, purpose: .poll)
  }

  /// Returns once so many boards wait.
  private func waiting(_ count: Int, in airtime: Airtime) async {
    while await airtime.waiting < count { await Task.yield() }
  }

  @Test func aHeardBoardGetsItsPermitAtOnce() async {
    let airtime = await airtime()
    await airtime.sighted(.number(1), by: .number(1), rssi: -60)
    #expect(await permit(airtime, 1) == .init(board: .number(1), adapter: .number(1)))
    #expect(await airtime.adapters[.number(1)]?.connecting == .number(1))
  }

  @Test func aSightingServesWhoWaits() async {
    let airtime = await airtime()
    async let grant = permit(airtime, 1)
    await waiting(1, in: airtime)
    await airtime.sighted(.number(1), by: .number(1), rssi: nil)
    #expect(await grant != nil)
  }

  @Test func theEndOfAnAttemptServesTheNext() async throws {
    let airtime = await airtime()
    for number in 1...2 { await airtime.sighted(.number(number), by: .number(1), rssi: -60) }
    let first = try #require(await permit(airtime, 1))
    async let second = permit(airtime, 2)
    await waiting(1, in: airtime)
    await airtime.attemptFailed(first, LinkFailure(.refused, "not today"))
    #expect(await second?.board == .number(2))
    let statistics = await airtime.statistics[.number(1)]
    #expect(
      statistics?.connectsFailed == 1 && statistics?.connectsOK == 0
        && statistics?.lastError == StatedReason(.refused, "not today"))
    #expect(statistics?.lastErrorTime == clock.now)
  }

  @Test("more places serve who waits; fewer end no link") func places() async throws {
    let airtime = await airtime(places: 1)
    for number in 1...2 { await airtime.sighted(.number(number), by: .number(1), rssi: -60) }
    await airtime.linkUp(try #require(await permit(airtime, 1)))
    async let second = permit(airtime, 2)
    await waiting(1, in: airtime)
    await airtime.change(placesPerAdapter: 2)
    await airtime.linkUp(try #require(await second))
    await airtime.change(placesPerAdapter: 1)
    #expect(await airtime.adapters[.number(1)]?.links.count == 2)
    await airtime.change(placesPerAdapter: nil)
    #expect(await airtime.adapters[.number(1)]?.limit == AirtimePlan.optimisticLimit)
  }

  @Test func theEndOfALinkServesTheNext() async throws {
    let airtime = await airtime(places: 1)
    for number in 1...2 { await airtime.sighted(.number(number), by: .number(1), rssi: -60) }
    let first = try #require(await permit(airtime, 1))
    await airtime.linkUp(first)
    async let second = permit(airtime, 2)
    await waiting(1, in: airtime)
    await airtime.linkEnded(first)
    #expect(await second?.board == .number(2))
    #expect(await airtime.statistics[.number(1)]?.connectsOK == 1)
  }

  @Test func aReturningAdapterServesWhoWaits() async {
    let airtime = await airtime()
    await airtime.update(.number(1), isUsable: false)
    await airtime.sighted(.number(1), by: .number(1), rssi: -60)
    async let grant = permit(airtime, 1)
    await waiting(1, in: airtime)
    await airtime.update(.number(1), isUsable: true)
    #expect(await grant != nil)
  }

  @Test("F22 a refusal for want of places is learned")
  func learning() async throws {
    let airtime = await airtime()
    await airtime.sighted(.number(1), by: .number(1), rssi: -60)
    let grant = try #require(await permit(airtime, 1))
    await airtime.attemptFailed(grant, LinkFailure(.noSlots, "full"))
    #expect(await airtime.adapters[.number(1)]?.learned == 1)
  }

  @Test func aWithdrawnWishEndsWithoutAPermit() async {
    let airtime = await airtime()
    async let grant = permit(airtime, 1)
    await waiting(1, in: airtime)
    await airtime.withdraw(.number(1))
    #expect(await grant == nil)
    #expect(await airtime.waiting == 0)
  }

  @Test func askingTwiceEndsTheFirstWish() async {
    let airtime = await airtime()
    async let first = permit(airtime, 1)
    await waiting(1, in: airtime)
    async let second = permit(airtime, 1)
    #expect(await first == nil)
    await waiting(1, in: airtime)
    await airtime.sighted(.number(1), by: .number(1), rssi: -60)
    #expect(await second != nil)
  }

  @Test("I14 a waiter that was cancelled does not hold the adapter")
  func cancellation() async {
    let airtime = await airtime()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { #expect(await permit(airtime, 1) == nil) }
      await waiting(1, in: airtime)
      group.cancelAll()
    }
    #expect(await airtime.waiting == 0)
    for number in 1...2 { await airtime.sighted(.number(number), by: .number(1), rssi: -60) }
    #expect(await permit(airtime, 2) != nil)
  }
}
