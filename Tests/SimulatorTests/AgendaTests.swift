import FleetModel
import Simulator
import Testing

struct AgendaTests {
  @Test func `Errands come in the order of their times, then of their setting`() {
    var agenda = Agenda<String>()
    agenda.set("c", at: .seconds(3))
    agenda.set("a", at: .seconds(1))
    agenda.set("b1", at: .seconds(2))
    agenda.set("b2", at: .seconds(2))
    #expect(agenda.next() == .seconds(1))
    #expect(agenda.popDue(at: .milliseconds(500)) == nil)
    #expect((0..<5).map { _ in agenda.popDue(at: .seconds(2)) } == ["a", "b1", "b2", nil, nil])
    #expect(agenda.next() == .seconds(3))
  }

  @Test func `A key has one time, the last that was set`() {
    var agenda = Agenda<String>()
    agenda.set("a", at: .seconds(1))
    agenda.set("a", at: .seconds(5))
    agenda.set("b", at: .seconds(2))
    #expect(agenda.next() == .seconds(2))
    agenda.set("b", at: nil)
    #expect(agenda.next() == .seconds(5))
    agenda.set("a", at: nil)
    #expect(agenda.next() == nil && agenda.popDue(at: .seconds(9)) == nil)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `Any mixture comes out sorted`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var agenda = Agenda<Int>()
    var expected: [Int: Int] = [:]
    for _ in 0..<500 {
      let (key, time) = (Int.random(in: 0..<100, using: &random), Int.random(in: 0..<1000, using: &random))
      let isSet = Bool.random(using: &random)
      agenda.set(key, at: isSet ? .milliseconds(time) : nil)
      expected[key] = isSet ? time : nil
    }
    var times: [Int] = []
    while let key = agenda.popDue(at: .seconds(1)) { times.append(expected.removeValue(forKey: key) ?? -1) }
    #expect(times == times.sorted() && expected.isEmpty, "seed \(seed)")
  }
}
