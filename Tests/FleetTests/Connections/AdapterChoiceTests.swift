import FleetModel
import Testing

@testable import Fleet

@Suite struct AdapterChoiceTests {
  /// Adapters 1 and 2; the second receives the board by `difference` dBm worse than the first.
  private func choice(
    difference: Int = 20, heardBy count: Int = 2, pin: Int? = nil, busy: Set<Int> = [], full: Set<Int> = [],
    since: Duration = .zero, at now: Duration
  ) -> AdapterChoice {
    var board = HeardBoard(since: .zero)
    for (number, strength) in [(2, -40 - difference), (1, -40)].prefix(count) {
      board.advertised(by: .number(number), strength: strength, at: .zero)
      board.advertised(by: .number(number), strength: strength, at: now)
    }
    var adapters: [AdapterID: ConnectionSlotPlan.Adapter] = [:]
    for number in 1...2 {
      adapters[.number(number)] = .init(
        isUsable: true, connecting: busy.contains(number) ? .number(9) : nil,
        links: full.contains(number) ? [.number(8)] : [], limit: 1)
    }
    let request = ConnectionSlotPlan.Request(
      board: .number(1), pin: pin.map { .number($0) }, failures: 0, purpose: .stream, since: since)
    return AdapterChoice(for: request, heard: board, among: adapters, at: now)
  }

  @Test func `the adapter that receives a board best carries it`() {
    #expect(choice(at: .zero) == .use(.number(1)))
  }

  @Test func `F163 where the far one received it first, the near one has a moment to`() {
    #expect(choice(heardBy: 1, at: .seconds(1)) == .wait(until: AdapterChoice.listening))
    #expect(choice(heardBy: 1, at: AdapterChoice.listening) == .use(.number(2)))
  }

  @Test func `a pinned board waits for no other adapter`() {
    #expect(choice(heardBy: 1, pin: 2, at: .zero) == .use(.number(2)))
    #expect(choice(pin: 1, busy: [1], at: .seconds(60)) == .wait(until: nil))
  }

  @Test func `F163 a busy or full adapter is waited for where the free one is worse`() {
    #expect(choice(busy: [1], at: .seconds(1)) == .wait(until: AdapterChoice.waiting))
    #expect(choice(full: [1], at: .seconds(1)) == .wait(until: AdapterChoice.waiting))
    #expect(
      choice(full: [1], since: .seconds(9), at: .seconds(14))
        == .wait(until: .seconds(9) + AdapterChoice.waiting))
    #expect(choice(full: [1], at: AdapterChoice.waiting) == .use(.number(2)))
  }

  @Test func `a difference that one advertisement makes is not worth waiting for`() {
    #expect(choice(difference: AdapterChoice.tolerance, busy: [1], at: .seconds(1)) == .use(.number(2)))
  }

  @Test func `where all are busy, something has to happen`() {
    #expect(choice(busy: [1, 2], at: .seconds(60)) == .wait(until: nil))
  }
}
