import FleetModel
import Testing

@testable import Fleet

@Suite struct BatchNumberingTests {
  private static func batch(_ sequence: Int, _ count: Int, session: UInt64 = 1, gap: Int = 0) -> SampleBatch {
    var batch = SampleBatch(
      board: .number(1), stream: "s", fields: [.init("pressed", "", .flag)], session: .seeded(session),
      boot: 1, sequence: sequence, gapBefore: gap,
      clock: ClockQuality(source: .arrival, errorMilliseconds: 1),
      configuration: sequence == 0 ? ["rate_hz": 1] : nil)
    batch.times = (0..<count).map { .at(Int64(sequence + $0)) }
    batch.values = Array(repeating: 1, count: count)
    return batch
  }

  @Test
  func
    `F133 what is dropped gets no number: the next batch follows on and tells the gap, with the session's configuration`()
  {
    var numbers = BatchNumbering()
    numbers.drop(Self.batch(0, 3), because: .storageFull)
    numbers.drop(Self.batch(3, 2, gap: 4), because: .storageFull)
    let next = numbers.number(Self.batch(5, 2, gap: 1))
    #expect(next.sequence == 0 && next.gapBefore == 10 && next.configuration == ["rate_hz": 1])
    let later = numbers.number(Self.batch(7, 2))
    #expect(later.sequence == 2 && later.gapBefore == 0 && later.configuration == nil)
    let losses = numbers.takeLosses(isOver: true, at: .zero)
    #expect(losses.map(\.count) == [5] && losses.first?.from == .at(0) && losses.first?.to == .at(4))
    #expect(numbers.takeLosses(isOver: true, at: .zero).isEmpty)
  }

  @Test func `F133 a new session numbers from 0 again and tells what was lost before it`() {
    var numbers = BatchNumbering()
    numbers.drop(Self.batch(0, 3), because: .storageLocked)
    let first = numbers.number(Self.batch(0, 2, session: 2))
    #expect(first.sequence == 0 && first.gapBefore == 3)
    #expect(numbers.isEmpty)
    #expect(numbers.takeLosses(isOver: true, at: .zero).map(\.session) == [.seeded(1)])
  }

  @Test func `F133 losses that nobody can count stay so`() {
    var numbers = BatchNumbering()
    numbers.drop(Self.batch(0, 3, gap: -1), because: .storageFull)
    #expect(numbers.number(Self.batch(3, 1)).gapBefore == -1)
  }

  @Test func `F133 losses are told at once when they are over, and twice a minute meanwhile`() {
    var numbers = BatchNumbering()
    func told(_ second: Int, isOver: Bool = false) -> [Int] {
      numbers.drop(Self.batch(second, 1), because: .storageFull)
      return numbers.takeLosses(isOver: isOver, at: .seconds(second)).map(\.count)
    }
    #expect([told(1), told(29), told(30), told(31), told(59), told(60)] == [[], [], [3], [], [], [3]])
    #expect([told(61, isOver: true), told(62)] == [[1], []])
  }
}
