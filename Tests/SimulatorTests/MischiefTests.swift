import FleetModel
import Simulator
import Testing

struct MischiefTests {
  private let boards = (1...5).map { BoardIdentity(number: $0).address }

  @Test func `Every kind of thing happens to every board, at the given pace`() {
    var mischief = Mischief(seed: 1, boards: boards)
    let deeds = (0..<1000).compactMap { _ in mischief.next() }
    #expect(deeds.count == 1000)
    for board in boards {
      for deed in [Mischief.Deed.lostLink(board), .mishap(.reset, board), .mishap(.lowBattery, board)] {
        #expect(deeds.contains { $0.deed == deed })
      }
    }
    let total = deeds.reduce(0) { $0 + $1.pause.inSeconds }
    #expect((14...16).contains(total / 1000))
  }

  @Test func `One seed is one history`() {
    func history(_ seed: UInt64) -> [Mischief.Deed?] {
      var mischief = Mischief(seed: seed, boards: boards)
      return (0..<50).map { _ in mischief.next()?.deed }
    }
    #expect(history(3) == history(3) && history(3) != history(4))
  }

  @Test func `Without boards nothing happens`() {
    var mischief = Mischief(seed: 1, boards: [])
    let deed = mischief.next()
    #expect(deed == nil)
  }
}
