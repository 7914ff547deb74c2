import FleetModel
import Simulator
import Testing

struct RandomFaultsTests {
  private let boards = (1...5).map { BoardIdentity(number: $0).address }

  @Test func `Every kind of thing happens to every board, at the given pace`() {
    var randomFaults = RandomFaults(seed: 1, boards: boards)
    let deeds = (0..<1000).compactMap { _ in randomFaults.next() }
    #expect(deeds.count == 1000)
    for board in boards {
      for fault in [Fault.drop, .reset, .battery(percent: 5)] {
        #expect(deeds.contains { $0.fault == fault && $0.board == board })
      }
    }
    let total = deeds.reduce(0) { $0 + $1.pause.inSeconds }
    #expect((14...16).contains(total / 1000))
  }

  @Test func `One seed is one history`() {
    func history(_ seed: UInt64) -> [FaultOrder?] {
      var randomFaults = RandomFaults(seed: seed, boards: boards)
      return (0..<50).map { _ in
        randomFaults.next().map { FaultOrder($0.fault, on: [$0.board], at: $0.pause) }
      }
    }
    #expect(history(3) == history(3) && history(3) != history(4))
  }

  @Test func `Without boards nothing happens`() {
    var randomFaults = RandomFaults(seed: 1, boards: [])
    let deed = randomFaults.next()
    #expect(deed?.board == nil)
  }
}
