import FleetModel
import Testing

@Suite struct LogBootTests {
  private static func clocks(_ list: (Int, UInt32)...) -> [BoardTick] {
    list.map { BoardTick(resetID: $0.0, tick: $0.1) }
  }

  @Test func `a run counts on through the wrap of its ticks`() {
    let runs = LogBootScan.runs(
      Self.clocks(
        (5, 0xFFFF_FFF0), (5, 4), (5, 0x3000_0000), (5, 0x6000_0000), (5, 0x9000_0000), (5, 0xC000_0000),
        (5, 0xF000_0000), (5, 0xFFFF_0000), (5, 1)), from: 5)
    #expect(runs.count == 1 && runs[0].first == 0xFFFF_FFF0 && runs[0].extent == (1 << 32) + 17)
  }

  @Test func `entries of two loggers may be a little out of order`() {
    let runs = LogBootScan.runs(Self.clocks((5, 1_000), (5, 990), (5, 1_010)), from: 5)
    #expect(runs.count == 1 && runs[0].first == 1_000 && runs[0].extent == 10)
  }

  @Test func `resets are counted from the session's beginning, round the board's numbers`() {
    let runs = LogBootScan.runs(Self.clocks((7, 1), (7, 3), (1, 5), (1, 9)), from: 6)
    #expect(runs.map(\.resetID) == [7, 1] && runs.map(\.resets) == [1, 2])
    #expect(runs.map(\.first) == [1, 5] && runs.map(\.extent) == [2, 4] && runs.map(\.start) == [0, 2])
  }

  @Test func `F44 a clock that goes back under its number was reset a whole round of times`() {
    let runs = LogBootScan.runs(
      Self.clocks((2, 1_000_000), (2, 1_000_001), (2, 10), (2, 20), (2, 30)), from: 2)
    #expect(runs.map(\.resets) == [0, 8])
  }

  @Test func `a scan goes on where it stopped`() {
    let clocks = Self.clocks((2, 1), (2, 5), (3, 1), (3, 2))
    var first = LogBootScan(from: 2, resetIDs: 8)
    for clock in clocks.prefix(2) { first.take(TickEntry(clock)) }
    first.judgePending(isOver: true)
    var second = LogBootScan(from: 2, resetIDs: 8, state: first.state)
    for clock in clocks.suffix(2) { second.take(TickEntry(clock)) }
    second.judgePending(isOver: true)
    #expect(second.runs == LogBootScan.runs(clocks, from: 2))
  }
}
