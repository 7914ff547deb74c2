import FleetModel
import Simulator
import Testing

struct AirTests {
  private let board = BoardIdentity(number: 1).address

  @Test func `Good air lets everything through`() {
    var air = Air(seed: 1)
    for _ in 0..<100 {
      #expect((-78 ... -42).contains(air.hear(board) ?? 0))
      guard case .opens(let delay) = air.attempt(on: board) else {
        Issue.record("an attempt failed in good air")
        return
      }
      #expect(air.conditions.connecting.contains(delay))
      #expect(air.conditions.discovering.contains(air.discoveryTime()))
      #expect(
        air.linkLife() == nil && !air.losesNotification()
          && air.arrival(from: board, at: .seconds(1)) == .seconds(1))
    }
  }

  @Test func `A board out of range is neither heard nor reached`() {
    var air = Air(seed: 1)
    air.outOfRange = [board]
    #expect(air.hear(board) == nil && air.attempt(on: board) == .silence)
    #expect(air.hear(BoardIdentity(number: 2).address) != nil)
  }

  @Test func `each of several adapters has its own distance to each board, the same at any time`() {
    var air = Air(seed: 1)
    let boards = (1...100).map { BoardIdentity(number: $0).address }
    func strengths(by adapter: Int) -> [Int] { boards.map { air.signal(of: $0, by: adapter) } }
    let (here, there) = (strengths(by: 0), strengths(by: 1))
    #expect(zip(here, there).count { abs($0 - $1) > 6 } > 30)
    // Single advertisements vary by some decibels around it.
    for (adapter, first) in [(0, here), (1, there)] {
      #expect(zip(first, strengths(by: adapter)).allSatisfy { abs($0 - $1) <= 6 })
    }
  }

  @Test
  func `What a board with a clumping link sends arrives at multiples of the clump, and the others' does not`()
  {
    var air = Air(seed: 1)
    air.clumps = [board: .milliseconds(300)]
    #expect(air.arrival(from: board, at: .milliseconds(601)) == .milliseconds(900))
    #expect(air.arrival(from: board, at: .milliseconds(900)) == .milliseconds(900))
    #expect(air.arrival(from: BoardIdentity(number: 2).address, at: .milliseconds(601)) == .milliseconds(601))
  }

  @Test func `Bad air is as bad as it is told to be`() {
    var conditions = Air.Conditions()
    conditions.refusals = 0.25
    conditions.lostNotifications = 0.1
    conditions.missedReports = 0.5
    conditions.linkLife = .seconds(100)
    var air = Air(seed: 7, conditions: conditions)
    let refused = (0..<10_000).count { _ in if case .refused = air.attempt(on: board) { true } else { false }
    }
    #expect((2300...2700).contains(refused))
    #expect((800...1200).contains((0..<10_000).count { _ in air.losesNotification() }))
    #expect((4700...5300).contains((0..<10_000).count { _ in air.hear(board) == nil }))
    let lives = (0..<10_000).map { _ in (air.linkLife() ?? .zero).inSeconds }
    #expect((95...105).contains(lives.reduce(0, +) / 10_000))
  }

  @Test func `One seed is one fate`() {
    var conditions = Air.Conditions()
    conditions.refusals = 0.5
    func fate(_ seed: UInt64) -> [Air.Attempt] {
      var air = Air(seed: seed, conditions: conditions)
      return (0..<50).map { _ in air.attempt(on: board) }
    }
    #expect(fate(3) == fate(3) && fate(3) != fate(4))
  }
}
