import FleetModel
import Testing

@Suite struct CountersTests {
  @Test func `each counts for itself`() {
    let counters = Counters()
    for (index, name) in Counters.Name.allCases.enumerated() { counters.add(index + 1, to: name) }
    counters.add(to: .samplesIn)
    for (index, name) in Counters.Name.allCases.enumerated() {
      #expect(counters.value(of: name) == index + 1 + (name == .samplesIn ? 1 : 0))
    }
  }

  @Test func `two instances share nothing`() {
    let (one, other) = (Counters(), Counters())
    one.add(5, to: .sessionsOK)
    #expect(other.value(of: .sessionsOK) == 0)
  }

  @Test func `counts from many tasks add up`() async {
    let counters = Counters()
    await withDiscardingTaskGroup { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<1_000 { counters.add(to: .samplesIn) } } }
    }
    #expect(counters.value(of: .samplesIn) == 8_000)
  }

  @Test func `an overflow wraps instead of trapping`() {
    let counters = Counters()
    counters.add(.max, to: .samplesIn)
    counters.add(to: .samplesIn)
    #expect(counters.value(of: .samplesIn) == .min)
  }
}
