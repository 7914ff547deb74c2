import FleetModel
import Testing

@testable import Fleet

@Suite struct HeardBoardTests {
  private func heard(_ signals: [(adapter: Int, strength: Int?, at: Int)]) -> HeardBoard {
    var board = HeardBoard(since: .zero)
    for signal in signals {
      board.advertised(by: .number(signal.adapter), strength: signal.strength, at: .seconds(signal.at))
    }
    return board
  }

  @Test func `an adapter that received nothing for fifteen seconds does not count`() {
    let board = heard([(1, -60, 0), (2, -50, 10)])
    #expect(Set(board.adapters(at: .seconds(15))) == [.number(1), .number(2)])
    #expect(board.adapters(at: .seconds(16)) == [.number(2)])
    #expect(board.strength(by: .number(1), at: .seconds(16)) == HeardBoard.unknownStrength)
  }

  @Test func `one strong advertisement among weak ones makes no near adapter`() {
    let board = heard([(1, -80, 0), (1, -80, 1), (1, -40, 2)])
    #expect(board.strength(by: .number(1), at: .seconds(2)) == -70)
  }

  @Test func `an advertisement without a strength leaves the one that is known`() {
    #expect(heard([(1, -60, 0), (1, nil, 1)]).strength(by: .number(1), at: .seconds(1)) == -60)
    #expect(heard([(1, nil, 0)]).strength(by: .number(1), at: .zero) == HeardBoard.unknownStrength)
  }

  @Test func `it is new again after a pause`() {
    #expect(heard([(1, -60, 0), (2, -60, 14)]).since == .zero)
    #expect(heard([(1, -60, 0), (2, -60, 30)]).since == .seconds(30))
  }
}
