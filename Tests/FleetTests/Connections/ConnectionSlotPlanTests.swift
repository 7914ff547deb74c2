import FleetModel
import Testing

@testable import Fleet

@Suite struct ConnectionSlotPlanTests {
  /// A plan with usable adapters 1 to `adapters`.
  private func plan(adapters: Int = 1, limit: Int = ConnectionSlotPlan.optimisticLimit) -> ConnectionSlotPlan
  {
    var plan = ConnectionSlotPlan()
    for number in 1...adapters { plan.adapters[.number(number)] = .init(isUsable: true, limit: limit) }
    return plan
  }

  /// A board that was heard at `now` and wants a link.
  private func want(
    _ number: Int, in plan: inout ConnectionSlotPlan, at now: Duration = .zero, pin: AdapterID? = nil,
    failures: Int = 0,
    isUrgent: Bool = false, since: Duration? = nil, heardBy: [Int: Int?] = [1: -60]
  ) {
    for (adapter, rssi) in heardBy {
      plan.advertised(.number(number), by: .number(adapter), rssi: rssi, at: now)
    }
    plan.request(
      .init(
        board: .number(number), pin: pin, failures: failures, purpose: isUrgent ? .command : .stream,
        since: since ?? now))
  }

  private func grant(_ board: Int, _ adapter: Int = 1) -> ConnectionSlotPlan.Grant {
    .init(board: .number(board), adapter: .number(adapter))
  }

  // One connect at a time per adapter.

  @Test func `F23 one attempt at a time per adapter, in the order of waiting`() {
    var plan = plan()
    want(2, in: &plan, since: .seconds(1))
    want(1, in: &plan, since: .seconds(2))
    #expect(plan.grant(at: .zero) == grant(2))
    #expect(plan.grant(at: .zero) == nil)
    plan.linkUp(grant(2))
    #expect(plan.grant(at: .zero) == grant(1))
    plan.attemptFailed(grant(1), noSlots: false, at: .zero)
    #expect(plan.grant(at: .zero) == nil, "who failed has to ask again")
  }

  @Test func `a link that is up makes room for the next attempt before its services are known`() {
    var plan = plan(limit: 2)
    for number in 1...3 { want(number, in: &plan) }
    _ = plan.grant(at: .zero)
    plan.linkUp(grant(1))
    #expect(plan.grant(at: .zero) == grant(2))
    plan.attemptFailed(grant(2), noSlots: false, at: .zero)
    plan.attemptFailed(grant(1), noSlots: false, at: .zero)
    #expect(plan.grant(at: .zero) == grant(3))
    #expect(plan.adapters[.number(1)]?.links == [], "a failed attempt gives its place back")
  }

  @Test func `F274 nobody is connected over an adapter while a board gets firmware over it`() {
    var plan = plan(adapters: 2)
    plan.advertised(.number(1), by: .number(1), rssi: -60, at: .zero)
    plan.request(
      .init(board: .number(1), pin: .number(1), failures: 0, purpose: .update, since: .zero))
    #expect(plan.grant(at: .zero) == grant(1, 1))
    plan.linkUp(grant(1, 1))
    want(2, in: &plan, pin: .number(1), isUrgent: true)
    want(3, in: &plan, pin: .number(2), heardBy: [2: -60])
    #expect(plan.grant(at: .seconds(10)) == grant(3, 2))
    #expect(plan.grant(at: .seconds(10)) == nil)
    plan.linkEnded(grant(1, 1))
    #expect(plan.grant(at: .seconds(10)) == grant(2, 1))
  }

  @Test func `F15 two adapters work side by side`() {
    var plan = plan(adapters: 2)
    for number in 1...3 { want(number, in: &plan, heardBy: [1: -60, 2: -60]) }
    let first = plan.grant(at: .zero)
    let second = plan.grant(at: .zero)
    #expect(Set([first?.adapter, second?.adapter]) == [.number(1), .number(2)])
    #expect(plan.grant(at: .zero) == nil)
  }

  @Test func `an adapter that cannot be used gets nobody`() {
    var plan = plan()
    plan.adapters[.number(1)]?.isUsable = false
    want(1, in: &plan)
    #expect(plan.grant(at: .zero) == nil)
    plan.adapters[.number(1)]?.isUsable = true
    #expect(plan.grant(at: .zero) == grant(1))
  }

  @Test func `asking again replaces the first request`() {
    var plan = plan()
    want(1, in: &plan)
    want(1, in: &plan)
    #expect(plan.waiting.count == 1)
    plan.withdraw(.number(1))
    #expect(plan.waiting.isEmpty && plan.grant(at: .zero) == nil)
  }

  // Places.

  @Test func `an adapter has so many places`() {
    var plan = plan(limit: 2)
    for number in 1...3 { want(number, in: &plan) }
    for number in 1...2 {
      #expect(plan.grant(at: .zero) == grant(number))
      plan.linkUp(grant(number))
    }
    #expect(plan.grant(at: .zero) == nil)
    plan.linkEnded(grant(1))
    #expect(plan.grant(at: .zero) == grant(3))
  }

  @Test func `F22 the number of places is learned from a refusal`() {
    var plan = plan()
    for number in 1...5 {
      want(number, in: &plan)
      #expect(plan.grant(at: .zero) == grant(number))
      plan.linkUp(grant(number))
    }
    want(6, in: &plan)
    #expect(plan.grant(at: .zero) == grant(6))
    plan.attemptFailed(grant(6), noSlots: true, at: .zero)
    #expect(plan.adapters[.number(1)]?.learned?.links == 5)
    #expect(plan.adapters[.number(1)]?.places == 5)
    want(6, in: &plan)
    #expect(plan.grant(at: .zero) == nil, "no attempt that is known to be refused")
    plan.linkEnded(grant(3))
    #expect(plan.grant(at: .zero) == grant(6))
  }

  @Test func `F22 a refusal without any link leaves one place, or nobody would ever try again`() {
    var plan = plan()
    want(1, in: &plan)
    _ = plan.grant(at: .zero)
    plan.attemptFailed(grant(1), noSlots: true, at: .zero)
    want(1, in: &plan)
    #expect(plan.grant(at: .zero) == grant(1))
  }

  @Test func `F22 a limit that is disproved is forgotten: after one refusal all boards are back within 90 s`()
  {
    var plan = plan()
    for number in 1...20 { want(number, in: &plan) }
    #expect(plan.grant(at: .zero) == grant(1))
    plan.linkUp(grant(1))
    #expect(plan.grant(at: .zero) == grant(2))
    plan.attemptFailed(grant(2), noSlots: true, at: .zero)
    var (now, linked) = (Duration.zero, 1)
    while now < .seconds(90), linked < 20 {
      now += .seconds(1)
      for number in 2...20 { plan.advertised(.number(number), by: .number(1), rssi: -60, at: now) }
      if now == .seconds(4) { want(2, in: &plan, at: now) }
      guard let next = plan.grant(at: now) else { continue }
      plan.linkUp(next)
      linked += 1
    }
    #expect(linked == 20 && plan.adapters[.number(1)]?.learned == nil)
  }

  @Test func `F22 a limit that holds is tried less and less often, and says when`() {
    var plan = plan()
    want(1, in: &plan)
    _ = plan.grant(at: .zero)
    plan.linkUp(grant(1))
    var (now, refusals) = (Duration.zero, [Duration]())
    while now < .seconds(3_600) {
      want(2, in: &plan, at: now)
      guard plan.grant(at: now) != nil else {
        guard let due = plan.due, due > now else { break }
        now = due
        continue
      }
      plan.attemptFailed(grant(2), noSlots: true, at: now)
      refusals.append(now)
    }
    let pauses = zip(refusals.dropFirst(), refusals).map { $0 - $1 }
    #expect(pauses == [10, 20, 40, 80, 160, 320, 600, 600, 600, 600].map { .seconds($0) })
    #expect(plan.adapters[.number(1)]?.places == 1)
  }

  @Test func `F22 an adapter that returns has no learned limit`() {
    var plan = plan()
    plan.adapters[.number(1)]?.learned = LearnedLimit(links: 1, at: .zero)
    plan.update(.number(1), isUsable: true, limit: 9)
    #expect(plan.adapters[.number(1)]?.learned != nil)
    plan.update(.number(1), isUsable: false, limit: 9)
    plan.update(.number(1), isUsable: true, limit: 9)
    #expect(plan.adapters[.number(1)]?.learned == nil)
  }

  @Test func `F22 the configured limit holds whatever was learned`() {
    var plan = plan(limit: 1)
    plan.adapters[.number(1)]?.learned = LearnedLimit(links: 9, at: .zero)
    #expect(plan.adapters[.number(1)]?.places == 1)
  }

  @Test func `another failure teaches nothing`() {
    var plan = plan()
    want(1, in: &plan)
    _ = plan.grant(at: .zero)
    plan.attemptFailed(grant(1), noSlots: false, at: .zero)
    #expect(plan.adapters[.number(1)]?.learned == nil)
  }

  @Test func `a late word about a grant that is over changes nothing`() {
    var plan = plan()
    want(1, in: &plan)
    _ = plan.grant(at: .zero)
    plan.attemptFailed(grant(1), noSlots: false, at: .zero)
    want(2, in: &plan)
    _ = plan.grant(at: .zero)
    plan.linkUp(grant(1))
    #expect(plan.adapters[.number(1)]?.links == [])
    #expect(plan.adapters[.number(1)]?.connecting == .number(2))
  }

  // Freshness.

  private static let freshnessCases: [(Duration, Bool)] = [
    (.zero, true), (.seconds(15), true), (.milliseconds(15_001), false),
  ]

  @Test(arguments: freshnessCases)
  func `only a board heard in the last 15 s is worth the air`(later: Duration, isGranted: Bool) {
    var plan = plan()
    want(1, in: &plan)
    #expect((plan.grant(at: later) != nil) == isGranted)
  }

  @Test func `who was never heard waits`() {
    var plan = plan()
    want(1, in: &plan, heardBy: [:])
    #expect(plan.grant(at: .zero) == nil)
    plan.advertised(.number(1), by: .number(1), rssi: -60, at: .seconds(60))
    #expect(plan.grant(at: .seconds(60)) == grant(1))
  }

  @Test func `a forgotten board is neither waiting nor heard`() {
    var plan = plan()
    want(1, in: &plan)
    plan.forget(.number(1))
    #expect(plan.waiting.isEmpty)
    plan.request(.init(board: .number(1), pin: nil, failures: 0, purpose: .poll, since: .zero))
    #expect(plan.grant(at: .zero) == nil)
  }

  // Fairness.

  @Test(arguments: [3, 50])
  func `at most one grant in four to boards that keep failing, while others wait`(failures: Int) {
    var plan = plan()
    for number in 1...20 { want(number, in: &plan, failures: failures, since: .zero) }
    for number in 21...50 { want(number, in: &plan, failures: 2, since: .seconds(100)) }
    var failing: [Bool] = []
    for _ in 0..<40 {
      guard let grant = plan.grant(at: .zero) else { break }
      failing.append(grant.board <= .number(20))
      plan.attemptFailed(grant, noSlots: false, at: .zero)
    }
    #expect(failing.count == 40)
    #expect(failing.count { $0 } == 10, "and no fewer: they get their turn")
    for start in 0...36 { #expect(failing[start..<start + 4].count { $0 } <= 1) }
  }

  @Test func `nobody waits for boards that are absent: alone, failing boards use the air`() {
    var plan = plan()
    for number in 1...5 { want(number, in: &plan, failures: 10) }
    for _ in 1...5 {
      guard let grant = plan.grant(at: .zero) else {
        Issue.record("idle")
        return
      }
      plan.attemptFailed(grant, noSlots: false, at: .zero)
    }
  }

  @Test func `F22 commands, then downloads, then updates, then streams, then polls`() {
    var plan = plan()
    for (number, purpose) in zip(1..., ConnectionSlotPlan.Purpose.allCases.reversed()) {
      plan.advertised(.number(number), by: .number(1), rssi: -60, at: .zero)
      plan.request(
        .init(board: .number(number), pin: nil, failures: 0, purpose: purpose, since: .seconds(number)))
    }
    var order: [BoardID] = []
    while let grant = plan.grant(at: .seconds(9)) {
      order.append(grant.board)
      plan.linkUp(grant)
      // Nobody is connected beside an update.
      if grant.board == .number(3) { plan.linkEnded(grant) }
    }
    #expect(order == [5, 4, 3, 2, 1].map { .number($0) })
  }

  @Test func `F22 F57 whoever has waited for ten minutes goes before all but commands, whatever for`() {
    var plan = plan()
    func want(_ number: Int, _ purpose: ConnectionSlotPlan.Purpose, since: Duration) {
      plan.advertised(.number(number), by: .number(1), rssi: -60, at: .seconds(600))
      plan.request(.init(board: .number(number), pin: nil, failures: 0, purpose: purpose, since: since))
    }
    want(1, .poll, since: .zero)
    want(2, .download, since: .seconds(1))
    want(3, .command, since: .seconds(599))
    var order: [BoardID] = []
    while let grant = plan.grant(at: .seconds(600)) {
      order.append(grant.board)
      plan.linkUp(grant)
    }
    #expect(order == [3, 1, 2].map { .number($0) })
  }

  @Test func `F22 of twenty streaming boards on five links each has its turn every hour`() {
    var plan = plan(limit: 5)
    for number in 1...20 { want(number, in: &plan, heardBy: [:]) }
    var links: [BoardID: Duration] = [:]
    var last: [BoardID: Duration] = [:]
    for second in 0...14_400 {
      let now = Duration.seconds(second)
      for number in 1...20 where links[.number(number)] == nil {
        plan.advertised(.number(number), by: .number(1), rssi: -60, at: now)
      }
      while let grant = plan.grant(at: now) {
        plan.linkUp(grant)
        (links[grant.board], last[grant.board]) = (now, now)
      }
      while let grant = plan.preempt(at: now) {
        #expect(now - (links[grant.board] ?? now) >= PreemptionRule.shortestUse)
        plan.linkEnded(grant)
        links[grant.board] = nil
        if let number = (1...20).first(where: { .number($0) == grant.board }) {
          want(number, in: &plan, at: now)
        }
      }
    }
    #expect(links.count == 5 || links.count == 4)
    #expect(last.count == 20 && last.values.allSatisfy { $0 >= .seconds(10_800) })
  }

  @Test func `people come first`() {
    var plan = plan()
    want(1, in: &plan, since: .zero)
    want(2, in: &plan, isUrgent: true, since: .seconds(5))
    #expect(plan.grant(at: .zero) == grant(2))
  }

  @Test func `of equals the lower address, so that a run repeats`() {
    var plan = plan()
    for number in [3, 1, 2] { want(number, in: &plan) }
    #expect(plan.grant(at: .zero) == grant(1))
  }

  // Which adapter.

  @Test func `the one that hears it best`() {
    var plan = plan(adapters: 3)
    want(1, in: &plan, heardBy: [1: -80, 2: -50, 3: -70])
    #expect(plan.grant(at: .zero) == grant(1, 2))
  }

  @Test func `without a signal strength it is the last`() {
    var plan = plan(adapters: 2)
    want(1, in: &plan, heardBy: [1: nil, 2: -95])
    #expect(plan.grant(at: .zero) == grant(1, 2))
  }

  @Test func `of equals the least loaded`() {
    var plan = plan(adapters: 2)
    plan.adapters[.number(1)]?.links = [.number(9)]
    want(1, in: &plan, heardBy: [1: -60, 2: -60])
    #expect(plan.grant(at: .zero) == grant(1, 2))
  }

  @Test func `a full adapter that hears a board better is waited for, for a while`() {
    var plan = plan(adapters: 2, limit: 1)
    plan.adapters[.number(1)]?.links = [.number(9)]
    want(1, in: &plan, heardBy: [1: -40, 2: -90])
    #expect(plan.grant(at: .zero) == nil && plan.due == AdapterChoice.waiting)
    want(1, in: &plan, at: AdapterChoice.waiting, since: .zero, heardBy: [1: -40, 2: -90])
    #expect(plan.grant(at: AdapterChoice.waiting) == grant(1, 2))
  }

  @Test func `a stale strong signal does not count`() {
    var plan = plan(adapters: 2)
    want(1, in: &plan, heardBy: [1: -40])
    plan.advertised(.number(1), by: .number(2), rssi: -90, at: .seconds(20))
    #expect(plan.grant(at: .seconds(20)) == nil, "the first may still receive it")
    #expect(plan.grant(at: .seconds(20) + AdapterChoice.listening) == grant(1, 2))
  }

  @Test func `who waits for an adapter is known, the longest waiting first`() {
    var plan = plan(adapters: 2)
    want(1, in: &plan, since: .seconds(3), heardBy: [1: -60, 2: -60])
    want(2, in: &plan, since: .seconds(2), heardBy: [2: -60])
    want(3, in: &plan, pin: .number(1), since: .seconds(1), heardBy: [:])
    #expect(plan.queue(for: .number(1), at: .zero).map(\.board) == [3, 1].map { .number($0) })
    #expect(plan.queue(for: .number(2), at: .zero).map(\.board) == [2, 1].map { .number($0) })
  }

  @Test func `a pinned board uses its adapter or none`() {
    var plan = plan(adapters: 2)
    want(1, in: &plan, pin: .number(2), heardBy: [1: -40, 2: -90])
    #expect(plan.grant(at: .zero) == grant(1, 2))
    want(3, in: &plan, pin: .number(2), heardBy: [1: -40, 2: -90])
    #expect(plan.grant(at: .zero) == nil)
  }
}
