import FleetModel
import Testing

@Suite struct SoakDiceTests {
  private static let boards = Rig.boards(4)

  private func faults(seed: UInt64, count: Int) -> [SoakDice.Fault] {
    var dice = SoakDice(seed: seed, boards: Self.boards)
    return (0..<count).map { _ in dice.roll().fault }
  }

  @Test func `the same seed does the same, another one something else`() {
    #expect(faults(seed: 1, count: 50) == faults(seed: 1, count: 50))
    #expect(faults(seed: 1, count: 50) != faults(seed: 2, count: 50))
  }

  @Test func `no board has all the bad luck`() {
    let hits = faults(seed: 3, count: 400).compactMap { fault -> BoardID? in
      switch fault {
      case .lostLink(let board), .reset(let board), .walk(let board, _), .stolenNotifications(let board):
        board
      case .adapterOff, .bluetoothdEnds: nil
      }
    }
    let counts = Self.boards.map { board in hits.count { $0 == board } }
    #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1)
  }
}
