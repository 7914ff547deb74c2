import Testing

@testable import EventLoops

@Suite struct TimerHeapTests {
  private func drain(_ heap: inout TimerHeap<Int, String>, now: Int) -> [String] {
    var popped: [String] = []
    while let element = heap.popDue(now: now) { popped.append(element) }
    return popped
  }

  @Test func `earliest first and equal deadlines in order of insertion`() {
    var heap = TimerHeap<Int, String>()
    for (deadline, name) in [(5, "e"), (1, "a"), (3, "c1"), (3, "c2"), (4, "d"), (2, "b"), (3, "c3")] {
      _ = heap.insert(name, at: deadline)
    }
    #expect(heap.nextDeadline() == 1)
    #expect(drain(&heap, now: 9) == ["a", "b", "c1", "c2", "c3", "d", "e"])
    #expect(heap.nextDeadline() == nil)
  }

  @Test func `only what is due comes out`() {
    var heap = TimerHeap<Int, String>()
    _ = heap.insert("later", at: 11)
    _ = heap.insert("now", at: 10)
    #expect(drain(&heap, now: 9) == [])
    #expect(drain(&heap, now: 10) == ["now"])
    #expect(heap.nextDeadline() == 11)
  }

  @Test func `removed ones never come out and do not determine the next deadline`() {
    var heap = TimerHeap<Int, String>()
    let first = heap.insert("first", at: 1)
    _ = heap.insert("second", at: 2)
    #expect(heap.remove(first) == "first")
    #expect(heap.remove(first) == nil)
    #expect(heap.nextDeadline() == 2)
    #expect(drain(&heap, now: 9) == ["second"])
  }

  @Test func `memory stays bounded when nearly all timers are removed`() {
    var heap = TimerHeap<Int, String>()
    _ = heap.insert("kept", at: 1_000_000)
    for deadline in 0..<10_000 { heap.remove(heap.insert("guard", at: deadline)) }
    #expect(heap.count == 1)
    #expect(heap.footprint < 100)
    #expect(drain(&heap, now: 1_000_000) == ["kept"])
  }

  @Test(arguments: [1 as UInt64, 2, 3, 4, 5])
  func `agrees with sorting whatever the order`(seed: UInt64) {
    var random = SplitMix(state: seed)
    var heap = TimerHeap<UInt64, Int>()
    var expected: [(deadline: UInt64, number: Int)] = []
    for number in 0..<500 {
      let deadline = random.next() % 100
      let id = heap.insert(number, at: deadline)
      if random.next() % 3 == 0 { heap.remove(id) } else { expected.append((deadline, number)) }
    }
    expected.sort { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
    var popped: [Int] = []
    while let number = heap.popDue(now: 100) { popped.append(number) }
    #expect(popped == expected.map(\.number), "seed \(seed)")
  }
}

private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
