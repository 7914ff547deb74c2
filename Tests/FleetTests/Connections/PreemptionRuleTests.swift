import FleetModel
import Testing

@testable import Fleet

@Suite struct PreemptionRuleTests {
  typealias Purpose = ConnectionSlotPlan.Purpose

  /// A full adapter whose boards 1, 2, … are connected for these purposes since these seconds.
  private func full(_ uses: [(Purpose, since: Int)]) -> ConnectionSlotPlan.Adapter {
    var adapter = ConnectionSlotPlan.Adapter(isUsable: true, limit: uses.count)
    for (index, use) in uses.enumerated() {
      adapter.links.insert(.number(index + 1))
      adapter.uses[.number(index + 1)] = .init(purpose: use.0, since: .seconds(use.since))
    }
    return adapter
  }

  private func yields(_ purpose: Purpose, on adapter: ConnectionSlotPlan.Adapter, since: Int = 0, at now: Int)
    -> BoardID?
  {
    let request = ConnectionSlotPlan.Request(
      board: .number(9), pin: nil, failures: 0, purpose: purpose, since: .seconds(since))
    return PreemptionRule.yields(to: request, on: adapter, at: .seconds(now))
  }

  @Test
  func `F274 a link over which a board gets firmware gives way to nobody, and nobody to others beside it`() {
    #expect(yields(.command, on: full([(.update, 0)]), at: 10_000) == nil)
    #expect(yields(.command, on: full([(.update, 0), (.poll, 0)]), at: 10_000) == nil)
  }

  @Test func `F22 the least urgent link gives way, of equals the longest`() {
    let adapter = full([(.stream, 10), (.stream, 5), (.download, 0)])
    #expect(yields(.command, on: adapter, at: 100) == .number(2))
    #expect(yields(.command, on: full([(.stream, 0), (.poll, 20)]), at: 100) == .number(2))
  }

  @Test(arguments: [(Purpose.command, 5), (.download, 60)])
  func `F22 nothing gives way before somebody has waited for a while`(purpose: Purpose, leastWait: Int) {
    let adapter = full([(.stream, 0)])
    #expect(yields(purpose, on: adapter, since: 1_000, at: 1_000 + leastWait - 1) == nil)
    #expect(yields(purpose, on: adapter, since: 1_000, at: 1_000 + leastWait) == .number(1))
  }

  @Test func `F22 an equal or more urgent link gives way only after the longest wait, a command's never`() {
    #expect(yields(.stream, on: full([(.stream, 0)]), at: 599) == nil)
    #expect(yields(.stream, on: full([(.stream, 0)]), at: 600) == .number(1))
    #expect(yields(.poll, on: full([(.download, 0)]), at: 600) == .number(1))
    #expect(yields(.poll, on: full([(.command, 0)]), at: 6_000) == nil)
  }

  @Test func `F22 a young link is left alone, and one that gives way is enough`() {
    #expect(yields(.command, on: full([(.poll, 50)]), at: 109) == nil)
    #expect(yields(.command, on: full([(.poll, 50)]), at: 110) == .number(1))
    var adapter = full([(.poll, 0), (.poll, 0)])
    adapter.yielding = .number(1)
    #expect(yields(.command, on: adapter, at: 100) == nil)
  }

  @Test func `where a place is free nothing gives way`() {
    var adapter = full([(.poll, 0)])
    adapter.limit = 2
    #expect(yields(.command, on: adapter, at: 100) == nil)
  }
}
